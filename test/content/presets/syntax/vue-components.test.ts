import { describe, expect, test } from 'vitest';
import { load, page } from '../../support/support.ts';
import { bodyOf } from '../support/support.ts';

const CONFIG = { '.vitepress/config.ts': 'export default {};\n' };

/** The page's text with `<X />` in it, where `X` is what the file gives; its messages if there are any. */
async function shown(source: string, written = 'A <X /> b.', script = ''): Promise<string> {
  const loaded = await load(
    {
      ...CONFIG,
      'a.md': page(
        'title: A\ncolour: blue',
        `<script setup>\nimport X from './.vitepress/x.vue'\n${script}\n</script>\n\n${written}\n`,
      ),
      '.vitepress/x.vue': source,
      '.vitepress/y.vue': '<template><i>y<slot name="end">-</slot></i></template>\n',
    },
    { preset: 'vitepress' },
  );
  const [message] = loaded.messages;
  return message?.split(';')[0] ?? bodyOf(loaded, 'a').replace(/\n?<!-- kbsync[\s\S]*$/, '');
}

const UNKNOWN = 'a knowledge base cannot render the component `<X>`';

test('what a component shows beside a heading is no part of its id', async () => {
  const html = await shown(
    `<script setup>\ndefineProps({ ver: String })\n</script>\n<template><span><a href="https://a.example">{{ ver }}<i>+</i></a></span></template>\n`,
    '## `filter` <X ver="4.4.0" />\n\n## Two <X ver="1" />\n\n[One](#filter) [Two](#two)',
  );
  expect(html).toContain('<h2 id="filter"><code>filter</code> <span><a href="https://a.example">');
  expect(html).toContain('<h2 id="two">Two ');
  expect(html).toContain('>4.4.0</strong>');
});

test('an element shows what `v-html` or `v-text` gives it; what nobody knows is named', async () => {
  const script = 'const api = `<p>One</p>\n\n<pre>a\n\nb</pre>\n\nText <b>two</b>.`\nconst word = "1 < 2"';
  const source = '<template>x</template>';
  expect(await shown(source, '<div id="api" v-html="api"></div>\n\nAfter.', script)).toBe(
    '<div id="api"><p>One</p>\n<pre>a\n\nb</pre>\nText <b>two</b>.</div>\n<p>After.</p>',
  );
  expect(await shown(source, '<p v-text="word"></p>', script)).toBe('<p>1 &lt; 2</p>');
  expect(await shown(source, '<div v-html="other()"></div>', script)).toBe(
    'a knowledge base cannot render the expression `<div v-html="other()"></div>`',
  );
  expect(await shown(source, '`<div v-html="other()"></div>`', script)).toContain('<code>');
});

test('a page gives a component its slots by name; without a place for one, or with values from inside, it stays unknown', async () => {
  const source = '<template><div><b><slot name="head">none</slot></b><slot /></div></template>\n';
  // Up to the empty line, the page is HTML for VitePress too.
  const body = '<X>\n<template #head>The *head*</template>\n\nThe **text**.\n\n</X>';
  expect(await shown(source, body)).toBe('<div><b>The *head*</b>\n<p>The <strong>text</strong>.</p>\n</div>');
  expect(await shown(source, '<X>\n<template v-slot:head>A</template>\n</X>')).toContain('<b>A</b>');
  expect(await shown(source, '<X>\n<template #foot>Words</template>\n</X>')).toBe(UNKNOWN);
  expect(await shown(source, '<X>\n<template #head="{ a }">A</template>\n</X>')).toBe(UNKNOWN);
});

test('a rule that keeps the text of a component keeps what stands in its slots', async () => {
  const loaded = await load(
    {
      ...CONFIG,
      'a.md': page(
        'title: A',
        '<Panel>\n<template #one>\n\n```js\nfirst();\n```\n\n</template>\n<template v-slot:two>\n\nSecond.\n\n</template>\n</Panel>\n\n`<template #x>`\n',
      ),
    },
    { preset: 'vitepress', components: { Panel: 'keep' } },
  );
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toMatch(
    /^<pre><code class="language-js">first\(\);\n<\/code><\/pre>\s*<p>Second\.<\/p>\s*<p><code>&lt;template #x&gt;<\/code><\/p>$/,
  );
});

test('code and comments between the tags of a component hold no slots', async () => {
  const source = '<template><div><b><slot name="head">none</slot></b><slot /></div></template>\n';
  const fence = '```vue\n<Y>\n  <template #head>A</template>\n</Y>\n```';
  const html = await shown(source, `<X>\n\n${fence}\n\n<!-- <template #head>B</template> -->\n\n</X>`);
  expect(html).toContain('<b>none</b>');
  expect(html).toContain('&lt;template #head&gt;A&lt;/template&gt;');
  const both = await shown(source, `<X>\n\n${fence}\n\n<template #head>C \`</template>\`</template>\n\n</X>`);
  expect(both).toContain('<b>C `');
  expect(both).toContain('&lt;template #head&gt;A&lt;/template&gt;');
});

test('VitePress: a team page shows its members with what the page says of them', async () => {
  const loaded = await load(
    {
      ...CONFIG,
      'a.md': page(
        'title: A',
        `<script setup>
import { VPTeamPage, VPTeamPageTitle, VPTeamPageSection, VPTeamMembers } from 'vitepress/theme'
import { core } from './_data/team'
const old = [{ avatar: 'https://img.test/b.png', name: 'Bo' }]
</script>

<VPTeamPage>
  <VPTeamPageTitle>
    <template #title>Our team</template>
    <template #lead>All of them.</template>
  </VPTeamPageTitle>
  <VPTeamMembers :members="core" />
  <VPTeamPageSection>
    <template #title>Before</template>
    <template #members>
      <VPTeamMembers size="small" :members="old" />
    </template>
  </VPTeamPageSection>
</VPTeamPage>
`,
      ),
      'b.md': page('title: B', '<VPTeamMembers :members="unknown.list" />\n'),
      '_data/team.js':
        "export const core = [{ avatar: 'https://img.test/a.png', name: 'Ann', title: 'Creator', org: 'Acme', orgLink: 'https://acme.test', desc: 'Made <b>it</b>.', links: [{ icon: 'github', link: 'https://github.com/ann' }] }];\n",
    },
    { preset: 'vitepress' },
  );
  expect(loaded.messages.map((message) => message.split(';')[0])).toEqual([
    'a knowledge base cannot render the component `<VPTeamMembers>`',
  ]);
  const html = bodyOf(loaded, 'a');
  expect(
    html
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe('Our team All of them. Ann Creator @ Acme Made it . github Before Bo');
  expect(html).toContain('<a href="https://github.com/ann"');
  expect(html).toMatch(/<img[^>]*src="https:\/\/img.test\/a.png"/);
});

test('what Vue shows as it is written keeps its braces', async () => {
  const script = "const v = '1.2'";
  const written = `::: v-pre\nRaw {{ v }}.\n:::\n\n<b v-pre>{{ v }}</b> <i class="x" v-pre>{{ v }}</i> {{ v }}`;
  const loaded = await load(
    { ...CONFIG, 'a.md': page('title: A', `<script setup>\n${script}\n</script>\n\n${written}\n`) },
    { preset: 'vitepress' },
  );
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<p>Raw {{ v }}.</p>');
  expect(html).toContain('<b>{{ v }}</b> <i class="x">{{ v }}</i> 1.2');
  expect(loaded.messages).toEqual([]);
});

test('what a slot shows only until the rest is there is no text of the page', async () => {
  const slot = (name: string, text: string) => `<template ${name}>\n\n${text}\n\n</template>\n`;
  const body = `<Suspense>\n${slot('#default', 'Text')}${slot('#fallback', 'Loading {{ name }} {.big}')}</Suspense>\n\n<ClientOnly>\n${slot('v-slot:fallback', 'Wait')}\nMore\n\n</ClientOnly>\n`;
  const loaded = await load({ ...CONFIG, 'a.md': page('title: A', body) }, { preset: 'vitepress' });
  expect(bodyOf(loaded, 'a')).toMatch(/^<p>Text<\/p>\s*<p>More<\/p>$/);
  expect(loaded.messages).toEqual([]);
});

test('`v-pre` of a tag that holds nothing, or as a word of a text, says nothing about what follows', async () => {
  const body =
    '<img v-pre src="https://img.test/a.png">\n\none {{ v }}\n\n<Badge v-pre text="a" />\n\ntwo {{ v }}\n\n<b title="of v-pre in it">{{ v }}</b>\n';
  const loaded = await load(
    { ...CONFIG, 'a.md': page('title: A', `<script setup>\nconst v = '1.2'\n</script>\n\n${body}`) },
    { preset: 'vitepress' },
  );
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('one 1.2');
  expect(html).toContain('two 1.2');
  expect(html).toContain('<b title="of v-pre in it">1.2</b>');
  expect(html).not.toMatch(/<img[^>]*v-pre/);
  expect(loaded.messages).toEqual([]);
});

describe('what a template shows when the page is made', () => {
  test.each([
    ['text', '<template>\n  <b>one\n  two</b>\n</template>\n', '<b>one two</b>'],
    [
      'properties with their types and defaults',
      `<script setup lang="ts">\nconst props = withDefaults(defineProps<{ a?: string; b?: number }>(), { a: 'first' })\n</script>\n<template><b>{{ a }} {{ props.a }}<i v-if="b">no</i></b></template>\n`,
      '<b>first first</b>',
    ],
    [
      'properties of an interface, taken apart',
      `<script setup lang="ts">\ninterface Props { a?: string }\nconst { a = 'x' } = defineProps<Props>()\n</script>\n<template><b>{{ a }}</b></template>\n`,
      '<b>x</b>',
    ],
    [
      'properties as options',
      `<script>\nexport default { props: { a: { type: String, default: 'd' } }, data() { return { rows: [this.a, 'e'] } }, computed: { all() { return this.rows.join('+') } } }\n</script>\n<template><b>{{ all }}</b></template>\n`,
      '<b>d+e</b>',
    ],
    [
      'conditions and lists',
      `<script setup>\nconst rows = [{ n: 'a' }, { n: 'b' }]\n</script>\n<template><ul><li v-for="(row, at) in rows" :key="at"><b v-if="at === 0">{{ row.n }}</b><i v-else>{{ row.n }}</i></li></ul></template>\n`,
      '<ul><li><b>a</b></li><li><i>b</i></li></ul>',
    ],
    [
      'refs and what is computed of them',
      `<script setup>\nimport { ref, computed } from 'vue'\nconst n = ref(2)\nconst double = computed(() => n.value * 2)\n</script>\n<template><b>{{ n }} {{ double }}</b></template>\n`,
      '<b>2 4</b>',
    ],
    [
      'other components with their slots',
      `<script setup>\nimport Y from './y.vue'\n</script>\n<template><b><Y><template #end>!</template></Y><Y/></b></template>\n`,
      '<b><i>y!</i><i>y-</i></b>',
    ],
    [
      'links and attributes',
      '<template><RouterLink class="x" :to="\'https://example.com\'" @click="go">l</RouterLink></template>\n',
      '<a href="https://example.com">l</a>',
    ],
    [
      'what only its style hides, and buttons without a word',
      '<template><b v-show="false">seen</b><button @click="copy"><svg><path d="M1" /></svg></button></template>\n',
      '<b>seen</b>',
    ],
    ['signs of Markdown are text', '<template><b>*a* {{ "_b_" }}</b></template>\n', '<b>*a* _b_</b>'],
  ])('%s', async (_, source, expected) => {
    expect(await shown(source)).toContain(expected);
  });

  test('what the page gives', async () => {
    const source = `<script setup>\ndefineProps(['someText', 'list', 'on'])\n</script>\n<template><b>{{ someText }}{{ list[0] }}{{ on ? '!' : '' }} <slot /></b></template>\n`;
    expect(
      await shown(
        source,
        'See <X some-text="T" :list="rows" on>*in*</X> and {{ rows[1] }}.',
        "const rows = ['p', 'q']",
      ),
    ).toContain('See <b>Tp! <em>in</em></b> and q.');
  });

  test.each([
    [
      'what a browser fills',
      `<script setup>\nimport { ref } from 'vue'\nconst rows = ref([])\n</script>\n<template><b v-for="r in rows">{{ r }}</b></template>\n`,
    ],
    [
      'what an effect sets',
      `<script setup>\nimport { ref, onMounted } from 'vue'\nconst n = ref('old')\nonMounted(() => { n.value = 'new' })\n</script>\n<template><b>{{ n }}</b></template>\n`,
    ],
    [
      'what a function of the script sets in an effect',
      `<script setup>\nimport { ref, onMounted } from 'vue'\nconst n = ref('old')\nfunction set() { n.value = 'new' }\nonMounted(set)\n</script>\n<template><b>{{ n }}</b></template>\n`,
    ],
    [
      'a request',
      `<script setup>\nconst rows = await load()\n</script>\n<template><b>{{ rows }}</b></template>\n`,
    ],
    ['a form', '<template><input v-model="x"></template>\n'],
    ['a directive of its own', '<template><b v-own="x">a</b></template>\n'],
    ['a button with words', '<template><button @click="go">Run</button></template>\n'],
    ['a template in another language', '<template lang="pug">\nb x\n</template>\n'],
    [
      'state that a hook changes',
      `<script>\nexport default { data() { return { a: 'old' } }, mounted() { this.a = 'new' } }\n</script>\n<template><b>{{ a }}</b></template>\n`,
    ],
  ])('%s is unknown', async (_, source) => {
    expect(await shown(source)).toBe(UNKNOWN);
  });

  test.each([
    ['elements that nest without an end', `<template>${'<b>'.repeat(60_000)}</template>\n`],
    ['values that never end', `<template><b>{{ x }}${'{{'.repeat(90_000)}</b></template>\n`],
    ['a list of blanks', `<template><b v-for="${' '.repeat(150_000)}">x</b></template>\n`],
  ])('%s ends, and is unknown', async (_, source) => {
    expect(await shown(source)).toBe(UNKNOWN);
  });

  test('slots whose names are made', async () => {
    const source =
      '<script setup>\ndefineProps({ tabs: Array })\n</script>\n<template><div v-for="tab in tabs" :key="tab"><i>{{ tab }}</i><slot :name="tab.toLowerCase()" /></div></template>\n';
    const html = await shown(
      source,
      `<X :tabs="['One', 'Two']">\n<template #one>\n\nfirst *text*\n\n</template>\n<template #two>\n\nsecond\n\n</template>\n</X>`,
    );
    expect(html).toMatch(/<i>One<\/i>\s*<p>first <em>text<\/em><\/p>[\s\S]*<i>Two<\/i>\s*<p>second<\/p>/);
  });

  test('text between the tags is not dropped by a component that does not show it', async () => {
    expect(await shown('<template><b>only this</b></template>\n', '<X>words of the page</X>')).toBe(UNKNOWN);
  });
});

describe('what a theme gives to all pages', () => {
  const badge =
    '<script setup>\ndefineProps({ to: String })\n</script>\n<template><b>badge {{ to }}</b></template>\n';

  test.each([
    [
      'by a name that is imported',
      "import Own from './Own.vue';\nexport default { enhanceApp({ app }) { app.component('OwnBadge', Own); } };\n",
    ],
    [
      'by a function or a loop of its own',
      "import OwnBadge from './Own.vue';\nexport default makeTheme({ components: { OwnBadge } });\n",
    ],
    [
      'when it is needed',
      "export default { enhanceApp({ app }) { app.component('own-badge', defineAsyncComponent(() => import('./Own.vue'))); } };\n",
    ],
  ])('%s', async (_, theme) => {
    const loaded = await load(
      {
        ...CONFIG,
        '.vitepress/theme/index.ts': theme,
        '.vitepress/theme/Own.vue': badge,
        'a.md': page(
          'title: A',
          'See <OwnBadge to="x" /> and <own-badge to="y"></own-badge>, `<OwnBadge />`.',
        ),
      },
      { preset: 'vitepress' },
    );
    expect(loaded.messages).toEqual([]);
    expect(bodyOf(loaded, 'a')).toContain('See <b>badge x</b> and <b>badge y</b>, <code>');
  });

  test('folders of VuePress and of unplugin-vue-components', async () => {
    const files = { 'a.md': page('title: A', '<Own to="x" />') };
    const vuepress = await load(
      { ...files, '.vuepress/config.js': 'export default {};\n', '.vuepress/components/Own.vue': badge },
      { preset: 'vuepress' },
    );
    expect(bodyOf(vuepress, 'a')).toContain('<b>badge x</b>');
    const vitepress = await load(
      {
        ...files,
        '.vitepress/config.ts':
          "import Components from 'unplugin-vue-components/vite';\nexport default { vite: { plugins: [Components({ dirs: ['.vitepress/parts'] })] } };\n",
        '.vitepress/parts/Own.vue': badge,
      },
      { preset: 'vitepress' },
    );
    expect(bodyOf(vitepress, 'a')).toContain('<b>badge x</b>');
  });

  test('a rule of the settings goes first, and `vue: keep` switches the reading off', async () => {
    const files = {
      ...CONFIG,
      '.vitepress/theme/index.ts':
        "import Own from './Own.vue';\nexport default { enhanceApp({ app }) { app.component('Own', Own); } };\n",
      '.vitepress/theme/Own.vue': badge,
      'a.md': page('title: A', 'See <Own to="x" />.'),
    };
    const ruled = await load(files, {
      preset: 'vitepress',
      components: { Own: { replace: 'R' } },
    });
    expect(bodyOf(ruled, 'a')).toContain('See R.');
    const off = await load(files, { preset: 'vitepress', components: { vue: 'keep' } });
    expect(off.messages.join()).toContain('`<Own>`');
  });
});
