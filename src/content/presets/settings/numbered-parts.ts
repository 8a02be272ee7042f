import { headingIds } from '../../markdown/heading-id.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { plainTitle } from '../../plain-title.ts';
import { THEOREMS } from './theorems.ts';

export interface Labels {
  /** `ref` is the address of a label, `shown` and `number` its name with its number, `count` the number alone. */
  readonly valueOf: (file: string, name: string, label: string) => string | undefined;
  readonly text: string;
}

/** What pages of Quarto and bookdown may refer to, in all files: numbers begin again in each page, in books with the number of the chapter. */
export function labelsIn(
  documents: readonly string[],
  readText: PresetInput['readText'],
  { chapters: order, language }: { readonly chapters: readonly string[]; readonly language: string },
): Labels {
  const labels = new Map<string, Label>();
  const words = WORDS.get(language.toLowerCase().split(/[-_]/)[0] ?? 'en') ?? WORDS.get('en') ?? [];
  let chapter = 0;
  const inOrder = [...order, ...documents.filter((path) => !order.includes(path))];
  for (const file of inOrder) {
    const text = readText(file);
    if (text === undefined || !/[#@]/.test(text)) continue;
    const counts = new Map<string, number>();
    const ids = headingIds('pandoc');
    let isFirst = true;
    let prefix = '';
    for (const { label, heading } of foundIn(text)) {
      if (heading !== undefined) {
        const id = /\{[^{}]*?#([^\s{}]+)/.exec(heading)?.[1];
        const title = plainTitle(heading.replace(/[ \t]*\{[^{}]*\}[ \t]*$/, ''));
        const own = ids(title, id);
        const isPart = /^\((?:PART|APPENDIX)/.test(heading);
        if (isFirst && !isPart && order.includes(file) && !UNNUMBERED.test(heading)) {
          chapter += 1;
          prefix = `${chapter}.`;
        }
        if (!isPart) isFirst = false;
        if (!labels.has(own)) labels.set(own, { file, id: own, kind: '', count: title });
        continue;
      }
      const short = /^[a-z]+/.exec(label)?.[0] ?? '';
      const kind = KINDS.get(short);
      if (kind === undefined || labels.has(label)) continue;
      const number = (counts.get(short) ?? 0) + 1;
      counts.set(short, number);
      labels.set(label, {
        file,
        id: label,
        kind: typeof kind === 'number' ? (words[kind] ?? '') : kind,
        count: `${prefix}${number}`,
      });
    }
  }
  return {
    text: [...labels].map(([label, { file, kind, count }]) => `${label} ${file} ${kind} ${count}`).join('\n'),
    valueOf: (from, name, label) => {
      const found = labels.get(label);
      if (found === undefined) return undefined;
      const { file, id, kind, count } = found;
      const shown = kind === '' ? count : `${kind} ${count}`;
      // What stands in a part for other pages is on the page that takes it in.
      const isHere = file === from || /(?:^|\/)_/.test(file);
      if (name === 'ref') return `${isHere ? '' : `/${file}`}#${id}`;
      if (name === 'number') return kind === '' ? undefined : shown;
      return name === 'count' ? count : name === 'shown' ? shown : undefined;
    },
  };
}

interface Label {
  readonly file: string;
  readonly id: string;
  /** `Figure`, or empty of a heading. */
  readonly kind: string;
  /** Its number, or the heading's text. */
  readonly count: string;
}

const WORDS: ReadonlyMap<
  string,
  readonly [figure: string, table: string, equation: string, listing: string]
> = new Map([
  ['en', ['Figure', 'Table', 'Equation', 'Listing']],
  ['de', ['Abbildung', 'Tabelle', 'Gleichung', 'Listing']],
  ['fr', ['Figure', 'Tableau', 'Équation', 'Listing']],
  ['es', ['Figura', 'Tabla', 'Ecuación', 'Listado']],
  ['pt', ['Figura', 'Tabela', 'Equação', 'Listagem']],
  ['it', ['Figura', 'Tabella', 'Equazione', 'Elenco']],
  ['ja', ['図', '表', '式', 'コード']],
  ['zh', ['图', '表', '式', '列表']],
]);
/** Names of numbered parts by the beginning of their label: the place in a line of `WORDS`, or a name in English. */
const KINDS: ReadonlyMap<string, number | string> = new Map<string, number | string>([
  ['fig', 0],
  ['tbl', 1],
  ['tab', 1],
  ['eq', 2],
  ['lst', 3],
  ...THEOREMS,
]);
const UNNUMBERED = /\{[^{}]*(?:-|\.unnumbered)\s*\}/;
const LABEL =
  /^(`{3,}|~{3,})(?:[ \t]*\{(?:[A-Za-z]\w*[ \t,]+([\w.-]+)[ \t]*((?:,[^\n]{0,500})?\})))?|\{[^{}\n]{0,300}?#((?!tab-)[a-z]{2,3}-[\w-]+)|^(?:#|\/\/|%%|--)\|[ \t]*label:[ \t]*["']?((?:fig|tbl|lst)-[\w-]+)|^(#{1,6})[ \t]+([^\n]{1,300})$|\(\\#((?!fig:)[a-z]{2,3}:[\w-]+)\)/gm;

/** Headings outside of code, and what looks like a label; an empty label is none. */
function* foundIn(text: string): Generator<{ readonly label: string; readonly heading?: string }> {
  let fence = '';
  for (const found of text.matchAll(LABEL)) {
    const [, mark, cell, options = '', attribute, option, hashes, heading = '', book] = found;
    if (mark !== undefined) {
      if (fence === '') fence = mark;
      else if (mark.startsWith(fence) && cell === undefined) fence = '';
      if (cell !== undefined) yield { label: cellLabel(text, found.index, cell, options) };
    } else if (hashes === undefined) yield { label: attribute ?? option ?? book ?? '' };
    else if (fence === '') yield { label: '', heading };
  }
}

/** knitr: a cell with a caption of its own is a figure, one whose code gives a table a caption is that table. */
function cellLabel(text: string, start: number, name: string, options: string): string {
  const end = text.indexOf('\n```', start + 1);
  const code = text.slice(start, end < 0 ? start + 5000 : Math.min(end, start + 5000));
  if (/\bfig[.-]cap\b/.test(options) || /^#\|[ \t]*fig-cap/m.test(code)) return `fig:${name}`;
  return /\bcaption[ \t]*=/.test(code) ? `tab:${name}` : '';
}
