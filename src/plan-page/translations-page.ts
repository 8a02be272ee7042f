import { KINDS, kindOf, pathOf, type Family, type Key } from '../model/key.ts';
import { html, trusted, type Html } from '../site/html.ts';
import { BYTES_MAX, framed, KIND_TITLES, OPEN_MAX, section } from './frame.ts';
import { STYLE } from './style.ts';

/** How a translation stands to its original. `none` there is neither a file nor an original that wants one. */
export type Standing = 'original' | 'up to date' | 'stale' | 'missing' | 'orphan' | 'none';

export interface TranslationCell {
  readonly key: Key;
  readonly standing: Standing;
  /** How that is known, in words. */
  readonly knownBy?: string | undefined;
  /** What changed in the original since, as git prints it; only of stale ones, where the history tells. */
  readonly diff?: string | undefined;
}

export interface TranslationsPageInput {
  /** The content folder, as it is shown. */
  readonly name: string;
  /** The default language first. */
  readonly languages: readonly string[];
  /** Each with one cell for each language, in their order. */
  readonly rows: readonly {
    readonly family: Family;
    readonly title: string;
    readonly cells: readonly TranslationCell[];
  }[];
  /** When and with what, as facts. */
  readonly facts: readonly string[];
}

/** Language × record as one HTML file that asks nobody for anything and runs nothing; what changed in originals stands below. */
export function translationsPage({ name, languages, rows, facts }: TranslationsPageInput): string {
  const stale = rows.flatMap(({ title, cells }) =>
    cells.flatMap((cell, index) =>
      cell.standing === 'stale' ? [{ ...cell, title, lang: languages[index] ?? '' }] : [],
    ),
  );
  let bytes = 0;
  const cards = stale.map((one) => {
    bytes += one.diff?.length ?? 0;
    return changeCard({ ...one, hasDiff: bytes < BYTES_MAX, isOpen: stale.length <= OPEN_MAX });
  });
  const groups = [...KINDS].sort().map((kind) => {
    const own = rows.filter(({ family }) => kindOf(family) === kind);
    return section(KIND_TITLES[kind], own.length > 0 ? [matrix(languages, own)] : []);
  });
  return framed({
    title: `kbsync translations · ${name}`,
    style: `${STYLE}${OWN_STYLE}`,
    facts,
    sum: sumOf(languages, rows),
    body: [
      html`<main>
        ${rows.length === 0 && html`<p>There are no records.</p>`} ${groups}
        ${section('What changed in the originals since', cards)}
      </main>`,
    ],
  });
}

const SIGNS: Readonly<Record<Standing, string>> = {
  original: '●',
  'up to date': '✓',
  stale: '~',
  missing: '–',
  orphan: '?',
  none: '',
};

function matrix(languages: readonly string[], rows: TranslationsPageInput['rows']): Html {
  return html`<div class="wide">
    <table class="matrix">
      <thead>
        <tr>
          <th scope="col">Record</th>
          ${languages.map((lang) => html`<th scope="col">${lang}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ family, title, cells }) =>
            html`<tr>
              <th scope="row"><bdi>${title}</bdi> <span class="note">${pathOf(family)}</span></th>
              ${cells.map(cellOf)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function cellOf({ key, standing, knownBy = '' }: TranslationCell): Html {
  const words = standing === 'none' ? '' : html`${SIGNS[standing]} ${standing}`;
  const inside =
    standing === 'stale' ? html`<a href="#${encodeURIComponent(changeId(key))}">${words}</a>` : words;
  return html`<td class="${standing.replaceAll(' ', '-')}" title="${knownBy}">${inside}</td>`;
}

interface ChangeCard extends TranslationCell {
  readonly title: string;
  readonly lang: string;
  readonly hasDiff: boolean;
  readonly isOpen: boolean;
}

function changeCard({ key, title, lang, knownBy = '', diff, hasDiff, isOpen }: ChangeCard): Html {
  // The id stands inside, so a browser that follows a link to it unfolds the change.
  return html`<details class="card update" ${isOpen && html`open`}>
    <summary>
      <span class="sign">~</span> ${key.slice(0, key.lastIndexOf('@'))} <span class="lang">${lang}</span>
      <bdi class="name">${title}</bdi>
    </summary>
    <div class="inside" id="${changeId(key)}">
      <p class="where">${knownBy}</p>
      ${diffOf(hasDiff ? diff : undefined, hasDiff)}
      <p class="note">Nothing to translate in it? <code>kbsync translations accept ${key}</code></p>
    </div>
  </details>`;
}

function changeId(key: Key): string {
  return `change-${key}`;
}

function diffOf(diff: string | undefined, hasDiff: boolean): Html {
  if (!hasDiff)
    return html`<p class="note">The change is left out, because this page would be too large.</p>`;
  const lines = (diff ?? '').trimEnd().split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  if (diff === undefined || first < 0)
    return html`<p class="note">
      The history does not tell what changed: the original is not committed, or this clone does not have the
      commit.
    </p>`;
  return html`<pre dir="auto">${lines.slice(first).map(diffLine)}</pre>`;
}

function diffLine(line: string): Html {
  const text = html`${line}${trusted('\n')}`;
  if (line.startsWith('+')) return html`<ins>${text}</ins>`;
  return line.startsWith('-') ? html`<del>${text}</del>` : text;
}

function sumOf(languages: readonly string[], rows: TranslationsPageInput['rows']): string {
  const sums = languages.slice(1).map((lang, index) => {
    const count = (wanted: Standing): number =>
      rows.filter(({ cells }) => cells[index + 1]?.standing === wanted).length;
    const parts = (['up to date', 'stale', 'missing', 'orphan'] as const)
      .map((standing) => [count(standing), standing] as const)
      .filter(([number]) => number > 0)
      .map(([number, standing]) => `${number} ${standing}`);
    return `${lang}: ${parts.length === 0 ? 'nothing' : parts.join(', ')}`;
  });
  return sums.length === 0 ? 'There is one language only.' : sums.join(' · ');
}

const OWN_STYLE = `
.wide{overflow-x:auto}
table.matrix{border-collapse:collapse;min-width:100%}
.matrix th,.matrix td{border:1px solid var(--line);padding:.3rem .5rem;text-align:start;vertical-align:top;white-space:nowrap}
.matrix th[scope=row]{white-space:normal;min-width:14rem;font-weight:600}
.matrix th[scope=row] .note{display:block;font-weight:400;font-size:.85rem;overflow-wrap:anywhere}
.matrix thead th{background:var(--wash);position:sticky;top:0}
.matrix .up-to-date{color:var(--addink)}.matrix .stale,.matrix .stale a{color:var(--warn);font-weight:600}.matrix .missing,.matrix .original{color:var(--soft)}.matrix .orphan{color:var(--delink)}
pre{overflow:auto;background:var(--wash);padding:.5rem;font:.85rem/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
pre ins,pre del{text-decoration:none;display:block}
`;
