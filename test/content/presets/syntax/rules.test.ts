import { expect, test } from 'vitest';
import { translated } from '../support/translated.ts';

const BODY =
  '<Promo title="Buy" href="/buy">\n\nToday *only*.\n\n</Promo>\n\n<Widget title="W" href="/w" description="Small" />\n';

const html = (rules: Parameters<typeof translated>[2] extends infer O ? NonNullable<O> : never): string =>
  translated('plain', BODY, rules).html;

test('keep leaves the text, and of the arguments what people read', () => {
  expect(html({ rules: { Promo: 'keep', Widget: 'keep' } })).toBe(
    '<p><strong><a href="/buy">Buy</a></strong></p>\n<p>Today <em>only</em>.</p>\n<p><strong><a href="/w">W</a></strong></p>\n<p>Small</p>',
  );
});

test('keep shows what a component is given as data: a line for each entry that has a name', () => {
  const table = `<PropertiesTable
  content={[
    { name: 'model', type: 'Array<string>', description: "Which one. Example: openai('gpt-4o')" },
    {
      name: 'messages', isOptional: true, default: 3,
      properties: [{ type: 'UserMessage', parameters: [{ name: 'role', type: "'user'", required: true }] }],
    },
  ]}
  sizes={[1, 2]}
/>
`;
  expect(translated('plain', table, { rules: { PropertiesTable: 'keep' } }).html).toBe(
    `<ul>
<li><strong>model</strong> · <code>Array&lt;string&gt;</code>: Which one. Example: openai('gpt-4o')</li>
<li><strong>messages</strong> · optional · default: <code>3</code>
<ul>
<li><strong>UserMessage</strong>
<ul>
<li><strong>role</strong> · <code>'user'</code> · required</li>
</ul>
</li>
</ul>
</li>
</ul>`,
  );
  const cards = "<Cards cards={[{ title: 'Start', href: '/start', icon: <Rocket /> }]} />\n";
  expect(translated('plain', cards, { rules: { Cards: 'keep' } }).html).toBe(
    '<ul>\n<li><strong><a href="/start">Start</a></strong></li>\n</ul>',
  );
});

test.each([
  ['a line of slashes', `// ${'/'.repeat(20_000)}\n'a'`],
  ['slashes in place of a comment', '/'.repeat(20_000)],
  ['many comments', `${'/* a */ '.repeat(5000)}'a'`],
  ['blanks', `${' '.repeat(20_000)}'a'`],
])('data that is no list of objects is passed over at once: %s', (_, inside) => {
  const { html: shown } = translated('plain', `<X items={[${inside}\n]} title="T" />\n`, {
    rules: { X: 'keep' },
  });
  expect(shown).not.toContain('<ul>');
});

test('comments may stand before the first entry', () => {
  const list = "<X items={[ // first\n /* a **/ { title: 'Start' }]} />\n";
  expect(translated('plain', list, { rules: { X: 'keep' } }).html).toBe(
    '<ul>\n<li><strong>Start</strong></li>\n</ul>',
  );
});

test('keep shows a picture, a link, a lone text, and of code the code', () => {
  const page = (body: string): string => translated('plain', body, { rules: { X: 'keep' } }).html;
  expect(page('<X src="https://a.dev/a.png" alt="A map" width={3} />\n')).toBe(
    '<p><img src="https://a.dev/a.png" alt="A map" /></p>',
  );
  expect(page('<X heading="More" link="https://a.dev/b" />\n')).toBe(
    '<p><strong><a href="https://a.dev/b">More</a></strong></p>',
  );
  expect(page('<X text={`import { a } from "b"`} />\n')).toBe('<p><code>import { a } from "b"</code></p>');
});

test('keep with names shows the texts of these attributes too', () => {
  const body =
    '<Info kind="property" type={`Map<<a href=\'/item_a\'>Item</a>, a_b>`} since="" see="https://a.dev/x_y_z" title="T" />\n';
  expect(
    translated('plain', body, { rules: { Info: { keep: ['kind', 'type', 'since', 'see'] } } }).html,
  ).toBe(
    '<p><strong>T</strong></p>\n<p>property · Map&lt;<a href="/item_a">Item</a>, a_b&gt; · <a href="https://a.dev/x_y_z">https://a.dev/x_y_z</a></p>',
  );
});

test('{content} is what is inside; a replacement without it leaves what is inside below', () => {
  expect(html({ rules: { Promo: { replace: '> {content}' }, Widget: 'drop' } })).toContain('Today');
  expect(html({ rules: { Promo: { replace: '**{title}** {content} (ad)' }, Widget: 'drop' } })).toBe(
    '<p><strong>Buy</strong></p>\n<p>Today <em>only</em>.</p>\n<p>(ad)</p>',
  );
  expect(
    html({ rules: { Promo: { replace: 'Advertisement:' }, Widget: { replace: '({title}{none})' } } }),
  ).toBe('<p>Advertisement:</p>\n<p>Today <em>only</em>.</p>\n<p>(W)</p>');
});

test('* stands for all that has no rule and no meaning', () => {
  const { problems, html: page } = translated('plain', `${BODY}\n<Note>Known.</Note>\n`, {
    rules: { '*': 'drop' },
  });
  expect(problems).toEqual([]);
  expect(page).toBe(
    '<div class="admonition note">\n<p class="admonition-title">Note</p>\n<p>Known.</p>\n</div>',
  );
});

test('a rule goes before what a name means', () => {
  expect(translated('plain', '<Note>Known.</Note>\n', { rules: { Note: 'keep' } }).html).toBe(
    '<p>Known.</p>',
  );
});

test.each(['docusaurus', 'vitepress', 'nextra', 'plain'] as const)(
  '%s: signs at the edge of bold text beside letters without blanks are inside it',
  (layout) => {
    const { html: page } = translated(layout, '请看**（注）**文。**「重要」**です `**（注）**文`\n');
    expect(page).toBe(
      '<p>请看<strong>（注）</strong>文。<strong>「重要」</strong>です <code>**（注）**文</code></p>',
    );
    expect(translated(layout, 'A**(b)**c\n').html).toBe('<p>A**(b)**c</p>');
  },
);

test('a host name in angles is no component, unless something ends it', () => {
  expect(translated('plain', 'Mind <example.com> here. <B />\n', {})).toMatchObject({
    html: '<p>Mind &lt;example.com&gt; here.</p>',
    problems: ['1:26 <B>'],
  });
  expect(translated('plain', '<a.b>Text</a.b> <a.b /> <B />\n', {}).problems).toHaveLength(3);
});

test('the name of a container is the whole word, also with accents', () => {
  const body = ':::varování\n\nText.\n\n:::\n';
  expect(translated('docusaurus', body, {}).problems).toEqual(['1:1 :::varování']);
  expect(translated('docusaurus', body, { rules: { varování: 'keep' } }).html).toBe('<p>Text.</p>');
  const file = translated('docusaurus', ':::poznámka.md\n\nText.\n\n:::\n', {});
  expect(file).toMatchObject({ problems: [], html: expect.stringContaining(':::poznámka.md') as string });
});
