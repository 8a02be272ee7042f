import { utimesSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { PRESET_NAMES } from '../../../src/content/presets/names.ts';
import type { PresetName } from '../../../src/content/presets/names.ts';
import { labelsFor } from '../../../src/content/labels.ts';
import { editedText } from '../../../src/content/presets/syntax/edits.ts';
import { loadLayout } from '../../../src/content/presets/load-layout.ts';
import { folderOf, loadFrom, page, write } from '../support/support.ts';

const FOREIGN = PRESET_NAMES.filter((name) => name !== 'kbsync');

/** Pieces of every system's syntax, whole and broken. */
const PIECES = [
  ['{{< note >}}', '{{% /note %}}', '{{< x a="b" >}}', '{{</* y */>}}', '{{<', '>}}', '{{ z }}', '{{'],
  [
    ':::note[T]',
    ':::',
    '::::tip',
    ':::cards',
    '!!! note "T"',
    '    !!! tip',
    '??? x',
    '=== "Tab"',
    '--8<-- "f"',
  ],
  [
    '<Aside type="tip">',
    '</Aside>',
    '<Tabs>',
    '<A b={c} />',
    '{expr}',
    "{'t'}",
    '{/* c */}',
    "import x from 'y';",
  ],
  [
    '{% raw %}',
    '{% endraw %}',
    '{% include a.html %}',
    '{: .note }',
    '{:',
    '> [!NOTE] T',
    '> [!TIP]-',
    '>',
    '{#id}',
  ],
  [
    '::: {.callout-note}',
    '::: {.content-hidden',
    '```{r a, echo=FALSE}\n',
    '#| echo: false\n',
    '[x]{.a #b}',
    '](y){width=1}',
    '^[n]',
    '@fig-a',
    '[-@b; @c]',
    ':   def',
    '\n+--+\n',
    '\\@ref(a)',
    'x^2^',
  ],
  ['```', '~~~', '`', '``', '- ', '  ', '    ', 'text ', '# Head', '<div className="a">', '<!--', '-->', '|'],
  ['\n', '\n', '\n\n', ' ', '\t', 'é', '😀', '[a](b)', '\\'],
].flat();
const LAST_LINES = ['expr', 'r a, echo=FALSE', 'theorem', '=html', '.r #a', 'r}\n#| label: {b'].flatMap(
  (info) => [`~~~{${info}}`, `> \`\`\`{${info}}`],
);
const bodies = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));
const rules = fc.dictionary(
  fc.constantFrom('x', 'Tabs', 'cards', '===', 'expr', 'a.html', '--8<--'),
  fc.constantFrom('drop' as const, 'keep' as const, { replace: 'R {0}' }),
);

async function dialectOf(preset: PresetName) {
  const layout = await loadLayout(preset);
  const { foreign } = layout({ defaultLanguage: 'en', languages: {}, paths: [], readText: () => undefined });
  if (foreign === undefined) throw new Error(`${preset} has no dialect`);
  return foreign.dialect;
}

test.each(FOREIGN)(
  '%s: whatever the text, every place in the translation is a place in the text, in the same order',
  async (preset) => {
    const dialect = await dialectOf(preset);
    fc.assert(
      fc.property(bodies, rules, fc.boolean(), (body, components, isMdx) => {
        const { edits, problems } = dialect.translate(body, {
          rules: components,
          labels: labelsFor('en'),
          isMdx,
        });
        const { text, sourceSpot } = editedText(body, edits);
        const lines = body.split('\n');
        for (const { spot } of problems)
          expect(spot.column).toBeLessThanOrEqual((lines[spot.line - 1] ?? '').length);
        let last = 1;
        for (const [index, line] of text.split('\n').entries()) {
          const back = sourceSpot({ line: index + 1, column: line.length + 1 });
          expect(back.line).toBeGreaterThanOrEqual(last);
          expect(back.line).toBeLessThanOrEqual(lines.length);
          expect(back.column).toBeGreaterThanOrEqual(1);
          expect(back.column).toBeLessThanOrEqual((lines[back.line - 1] ?? '').length + 1);
          last = back.line;
        }
      }),
      // A fence that opens on the last line of a text, without a line break behind it.
      { numRuns: 300, examples: LAST_LINES.map((body) => [body, {}, true]) },
    );
  },
);

test('no file of any text throws: it makes a record or a problem', async () => {
  const texts = fc.sample(bodies, { numRuns: 30, seed: 7 });
  for (const preset of FOREIGN) {
    const names = { docusaurus: 'docs/', writerside: 'topics/' }[preset as string] ?? '';
    const files = Object.fromEntries(
      texts.map((text, index) => [
        `${names}p${index}.${preset === 'bookdown' ? 'Rmd' : 'md'}`,
        index % 2 === 0 ? text : page(`title: P${index}`, text),
      ]),
    );
    const { records, problems } = await loadFrom(folderOf(files), { preset });
    const articles = [...records.values()].filter(({ kind }) => kind === 'article');
    for (const { body } of articles) expect(typeof body?.render()).toBe('string');
    const broken = new Set(
      problems.filter(({ code }) => code === 'front-matter-yaml').map(({ at }) => at.file),
    );
    expect([...records.keys()].filter((key) => key.startsWith('article/p')).length + broken.size).toBe(
      texts.length,
    );
  }
});

test('a file that becomes a category because of another is read again, cache or not', async () => {
  const folder = folderOf({ 'en/a/_index.md': page('title: A') });
  const options = { preset: 'hugo', cacheFile: `${folder}/cache.json` } as const;
  const old = new Date(Date.now() - 60_000);
  utimesSync(`${folder}/content/en/a/_index.md`, old, old);
  expect([...(await loadFrom(folder, options)).records.keys()]).toEqual(['article/a@en']);
  write(folder, { 'en/a/b.md': page('title: B') });
  const { records, record } = await loadFrom(folder, options);
  expect([...records.keys()].sort()).toEqual(['article/a/b@en', 'category/a@en']);
  expect(record('category', 'a').fields).toMatchObject({ name: 'A' });
  expect([...(await loadFrom(folder, options)).records.keys()].sort()).toEqual([
    'article/a/b@en',
    'category/a@en',
  ]);
});
