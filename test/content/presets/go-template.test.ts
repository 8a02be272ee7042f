import { expect, test } from 'vitest';
import { evaluatedTemplate } from '../../../src/content/presets/go-template/evaluate.ts';
import { parsedTemplate } from '../../../src/content/presets/go-template/template.ts';
import { HUGO_TEMPLATES, TEMPLATE_BUDGET } from '../../../src/content/presets/syntax/includes/shortcodes.ts';

interface Call {
  readonly args?: Readonly<Record<string, string>>;
  readonly inner?: string;
  readonly steps?: number;
}

const PARTIALS: Readonly<Record<string, string>> = {
  'box.html': '<b>{{ .title }}: {{ $.text }}</b>',
  'call.html': '{{ .Get "a" }}{{ .Ordinal }}',
  'endless.html': '{{ partial "endless.html" . }}',
};

function written(source: string, { args = {}, inner, steps = 1000 }: Call = {}): string | undefined {
  const nodes = parsedTemplate(source);
  return nodes === undefined
    ? undefined
    : evaluatedTemplate(nodes, {
        argument: (name) => args[String(name)],
        hasNamed: Object.keys(args).some((name) => !/^\d+$/.test(name)),
        inner,
        siteParam: (path) => ({ version: 'v1.2', 'docs.name': 'Help' })[path],
        pageParam: (path) => (path === 'own' ? 'mine' : undefined),
        data: (path) =>
          path === 'all'
            ? { list: [{ n: 'b', on: true }, { n: 'a' }], map: { y: 2, x: '<1>' }, none: [] }
            : undefined,
        pageFile: 'v1/docs/a.md',
        file: (path) => (path === 'p.md' ? 'A *file*' : undefined),
        markdown: (text) => text.replaceAll(/\*([^*]+)\*/g, '<em>$1</em>'),
        ordinal: 3,
        partial: (name) => (Object.hasOwn(PARTIALS, name) ? parsedTemplate(PARTIALS[name] ?? '') : undefined),
        pageAt: (path) =>
          path === '/p' ? { page: { Title: 'P', RenderShortcodes: { markup: '**p**' } } } : undefined,
        escaped: (text) => text.replaceAll('<', '&lt;'),
        budget: { steps, chars: 1000 },
      });
}

test.each([
  ['{{ partial "box.html" (dict "title" "A<" "text" (print "x" | safeHTML)) }}', '<b>A&lt;: x</b>'],
  ['{{ partials.Include "call.html" . }} {{ with 1 }}{{ partialCached "call.html" $ "k" }}{{ end }}', '3 3'],
  ['{{ partial "none.html" . }}', undefined],
  ['{{ partial "endless.html" . }}', undefined],
  ['{{ with site.GetPage "/p" }}{{ .Title }} {{ .RenderShortcodes }}{{ end }}', 'P **p**'],
  ['{{ with $.Page.GetPage "/p" }}{{ .RelPermalink }}{{ end }}', undefined],
  ['{{ "v1.2v" | strings.TrimLeft "vV" }} {{ strings.TrimSuffix ".md" "a.md" }}', '1.2v a'],
  [
    '{{ urls.JoinPath "https://a.dev/x/" "/b" "c" }} {{ urlize "Floating point" }}',
    'https://a.dev/x/b/c floating-point',
  ],
  ['{{ urlize "Straße" }}', undefined],
  // Blanks beside a hyphen are no hyphens of their own.
  ['{{ urlize " A - b  c-- d" }}', 'a-b-c--d'],
  ['2.17.0\n', '2.17.0\n'],
  ['a {{- /* note {{< x >}} " */ -}} b', 'ab'],
  ['{{ if false }}{{ errorf "{{< x >}} %s" `}}` }}{{ end }}{{ print "}}" }}', '}}'],
  ['{{- site.Params.version | replaceRE "^v" "" -}}', '1.2'],
  ['{{ .Site.Params.docs.name }} {{ .Page.Param "own" }}', 'Help mine'],
  ['{{ $x := .Get "a" | default "none" }}{{ $x | upper }}', 'NONE'],
  ['{{ with .Get 0 }}<b>{{ . }}</b>{{ else }}no{{ end }}', 'no'],
  ['{{ if eq 1 2 }}a{{ else if not false }}b{{ else }}c{{ end }}.', 'b.'],
  ['{{ if and (gt 2 1) (or "" "x") }}{{ printf "%s-%q" "a" "b" }}{{ end }}', 'a-"b"'],
  ['{{ readFile "p.md" | markdownify }}', 'A <em>file</em>'],
  ['{{ "<i>" }}{{ "<i>" | safeHTML }}', '&lt;i><i>'],
  [
    '{{ cond (hasPrefix "ab" "a") "yes" "no" }}{{ replace "a.b" "." "-" }}{{ .Page.Store.Set "x" true }}',
    'yesa-b',
  ],
  ['{{ add 1 2 }} {{ sub 12 5 }} {{ mul 2 3 }} {{ div 7 2 }} {{ mod 7 4 }}', '3 7 6 3 3'],
  ['{{ with .Page.TableOfContents }}<h5>Contents</h5>{{ . }}{{ end }}{{ .TableOfContents }}.', '.'],
  ['{{ div 1 0 }}', undefined],
  ['{{ add 1.5 1 }}', undefined],
  ['{{ range site.Data.all.list }}', undefined],
  ['{{ $d := hugo.Data.all }}{{ range $d.list }}{{ if .on }}[{{ .n }}]{{ end }}{{ end }}', '[b]'],
  ['{{ range $k, $v := index .Site.Data.all "map" }}{{ $k }}={{ $v }};{{ end }}', 'x=&lt;1>;y=2;'],
  ['{{ range $i, $v := split "a/b" "/" }}{{ if $i }}, {{ end }}{{ $v }}{{ end }}', 'a, b'],
  ['{{ range (index site.Data.all "none") }}x{{ else }}none{{ end }}', 'none'],
  [
    '{{ with $x := slice "a" "b" }}{{ len $x }} {{ delimit $x "+" }} {{ index $x 1 }}{{ index $x 7 }}{{ end }}',
    '2 a+b b',
  ],
  [
    '{{ index (split .Page.File.Path "/") 0 }} {{ urlquery "a b/c" }} {{ fileExists "p.md" }}',
    'v1 a+b%2Fc true',
  ],
  ['{{ highlight "a ```` b" "yaml" "" }}', '`````yaml\na ```` b\n`````'],
  ['{{ if false }}{{ errorf "no" }}{{ end }}{{ warnf "w" }}{{ if now.UnixNano }}id{{ end }}', 'id'],
])('%s', (source, text) => {
  expect(written(source)).toBe(text);
});

test('arguments and what stands between the tags', () => {
  expect(written('{{ .Get "to" }}: {{ .Inner }}', { args: { to: '/a' }, inner: '<b>x</b>' })).toBe(
    '/a: <b>x</b>',
  );
  expect(
    written('{{ if .IsNamedParams }}{{ .Get "to" }}{{ else }}{{ .Get 0 }}{{ end }}', { args: { 0: 'b' } }),
  ).toBe('b');
});

test.each([
  '{{ range seq 3 }}x{{ end }}',
  '{{ site.Data.other }}',
  '{{ site.Data.all }}',
  '{{ range "text" }}x{{ end }}',
  '{{ range $a, $b := $c }}x{{ end }}',
  '{{ $x := "a" }}{{ $x.y }}',
  '{{ errorf "no" }}',
  '{{ with $a, $b := 1 }}x{{ end }}',
  '{{ range slice 1 2 }}{{ .Get 0 }}{{ end }}',
  '{{ partial "a.html" . }}',
  '{{ .Page.Title }}',
  '{{ .Inner }}',
  '{{ $a }}',
  '{{ site.Params.none }}',
  '{{ getJSON "https://e.com" }}',
  '{{ readFile "../../etc/passwd" }}',
  '{{ replaceRE "(a+)+$" "" "aaaa" }}',
  '{{ errorf "no" }}',
  '{{ if true }}open',
  '{{ end }}',
  '{{ else }}',
  '{{ printf "%5d" 1 }}',
  '{{ | }}',
  '{{ ( }}',
])('what only Hugo knows stays unknown: %s', (source) => {
  expect(written(source)).toBeUndefined();
});

test('a template that grows without end stops', () => {
  const doubled = `{{ $x := "0123456789" }}${'{{ $x = print $x $x }}'.repeat(60)}{{ $x }}`;
  expect(written(doubled)).toBeUndefined();
  expect(written(`{{ $x := "${'a'.repeat(5000)}" }}{{ $y := replace $x "a" $x }}{{ $y }}`)).toBeUndefined();
  expect(written('{{ .Inner }}'.repeat(50), { inner: 'x'.repeat(100) })).toBeUndefined();
  expect(written('{{ "a" }}'.repeat(50), { steps: 60 })).toBeUndefined();
  expect(written(`{{ ${'('.repeat(5000)}1${')'.repeat(5000)} }}`)).toBeUndefined();
  const pairs = 'a/'.repeat(300);
  expect(
    written(`{{ $x := split "${pairs}" "/" }}${'{{ range $x }}'.repeat(6)}x${'{{ end }}'.repeat(6)}`),
  ).toBeUndefined();
  expect(written('{{ if true }}'.repeat(1000) + '{{ end }}'.repeat(1000))).toBeUndefined();
  expect(parsedTemplate('x'.repeat(20_001))).toBeUndefined();
  const long = `{{ $x := "${'a'.repeat(1000)}" }}${'{{ $x = print $x $x }}'.repeat(6)}`;
  expect(written(`${long}{{ print${' $x'.repeat(2000)} | len }}`, { steps: 100_000 })).toBeUndefined();
  expect(written(`${long}{{ in $x "ab" }}`, { steps: 100_000 })).toBe('false');
  expect(written(`${long}${'{{ in $x "ab" }}'.repeat(100)}`, { steps: 10_000 })).toBeUndefined();
  expect(written(`${long}{{ in $x (print "b" $x) }}`, { steps: 100_000 })).toBeUndefined();
});

test('all templates of a page have one budget: behind it no call is looked at, and no file is read', () => {
  const looked: string[] = [];
  const read: string[] = [];
  const rules: Record<string, never> = {};
  const counting = new Proxy(rules, {
    getOwnPropertyDescriptor: (_, name) => {
      looked.push(String(name));
      return undefined;
    },
  });
  const texts: Readonly<Record<string, string>> = {
    '../layouts/shortcodes/big.html': 'x'.repeat(10_000),
    '../layouts/shortcodes/own.html': '{{ .Page.Param "a" }}',
    'a.md': '---\na: one\n---\n',
  };
  const budget = { ...TEMPLATE_BUDGET };
  const page = {
    file: 'a.md',
    isMdx: false,
    rules: counting,
    variable: () => undefined,
    budget,
    page: {
      file: 'a.md',
      readText: (path: string) => {
        read.push(path);
        return texts[path];
      },
      variable: () => undefined,
    },
  };
  expect([...HUGO_TEMPLATES.find('{{< own >}}'.repeat(50), page)]).toHaveLength(50);
  expect(read.filter((path) => path === 'a.md')).toHaveLength(1);
  looked.length = 0;
  expect([...HUGO_TEMPLATES.find('{{< big >}}'.repeat(1000), page)]).toHaveLength(19);
  expect(looked).toHaveLength(20);
  // Another file of the same page has what is left.
  expect([...HUGO_TEMPLATES.find('{{< big >}}', page)]).toEqual([]);
  Object.assign(budget, TEMPLATE_BUDGET);
  read.length = 0;
  const names = Array.from({ length: 20_000 }, (_, at) => `{{< name${at} >}}`).join('');
  expect([...HUGO_TEMPLATES.find(names, page)]).toEqual([]);
  expect(read).toHaveLength(TEMPLATE_BUDGET.steps / 20);
});
