import type { Edit } from '../../../preset.ts';
import { sourceWords } from '../../../../markdown/losses.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { boldLine, markdownText } from '../../parts/part-rule.ts';

/** `key:: value`, in a line of its own or as the first line of a block. */
const PROPERTY = /^([ \t]*(?:-[ \t]+)?)([\w/?.-]+)::(?:[ \t][^\n]*)?(?:\n|$)/gm;
/** Properties that mean something to the program. */
const UNSEEN =
  /^(?:id|collapsed|public|title|icon|filters|heading|template|exclude-from-graph-view|created-at|updated-at|last-modified-at|background-color|(?:hl|ls|logseq|query)[-.].*)$/i;
const PARTS: readonly (readonly [RegExp, (inside: string) => string])[] = [
  [
    /\{\{(?:video|youtube|vimeo|bilibili|tweet|twitter)[ \t]+(https?:[^\s{}]+)[ \t]*\}\}/g,
    (url) => `<${url}>`,
  ],
  [/\{\{cloze[ \t]+([^{}\n]+)\}\}/g, (text) => text],
  // Lists of blocks that the program finds, and blocks of other pages.
  [
    /\{\{(?:query|cards|youtube-timestamp|embed|renderer|namespace)\b([^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}\}/g,
    () => '',
  ],
  [/(?<!\])\(\(([\da-f]{8}-[\da-f-]{27})\)\)/g, () => ''],
  [/(?<=\))\{(:[a-z]+[ \t][^{}\n]*)\}/g, () => ''],
];
const REFERENCE = /\[([^\]\n]+)\]\(\(\(([\da-f-]{36})\)\)\)/g;
const EMBED = /\{\{embed[ \t]+\[\[([^[\]{}\n]+)\]\][ \t]*\}\}/g;
const MACRO = /\{\{([\w-]+)(?:[ \t]+([^{}\n]*))?\}\}/g;
const LINK = /(?<!\[)#?\[\[([^[\]\n]+)\]\]/g;

/**
 * Logseq: properties are shown with their names but for the program's own, `{{video …}}` is a link, what queries would find is left out. `[[Page]]` and `#[[Page]]` without a page is its name: each name has a page there
 * `macros` are those of config.edn (https://docs.logseq.com).
 */
export function logseq(
  isPage: (name: string) => boolean,
  macros: ReadonlyMap<string, string>,
): (source: Source) => Found {
  return ({ body, isTaken }) => {
    const edits: Edit[] = [];
    const add = (start: number, whole: string, text: string): void => {
      if (!isTaken(start)) edits.push({ start, end: start + whole.length, text });
    };
    const shifts = indentsOutsideOfLists(body);
    let wordsUnshown = 0;
    for (const { 0: whole, 1: mark = '', 2: name = '', index } of body.matchAll(PROPERTY)) {
      const start = index + mark.length;
      if (isTaken(start)) continue;
      if (UNSEEN.test(name)) {
        wordsUnshown += sourceWords(whole);
        add(index, whole, mark.trim() === '' ? '' : `${mark.slice(shifts.get(index) ?? 0)}\n`);
        shifts.delete(index);
      } else {
        add(start, `${name}::`, boldLine(`${name}:`));
        const end = index + whole.trimEnd().length;
        edits.push({ start: end, end, text: '  ' });
      }
    }
    for (const { 0: whole, 1: text = '', index } of body.matchAll(REFERENCE)) add(index, whole, text);
    for (const { 0: whole, 1: name = '', index } of body.matchAll(EMBED))
      add(index, whole, isPage(name) ? `[${markdownText(name)}](<${name}>)` : markdownText(name));
    for (const { 0: whole, 1: name = '', 2: inside = '', index } of body.matchAll(MACRO)) {
      const text = macros.get(name);
      const given = inside.split(',').map((each) => each.trim());
      if (text !== undefined)
        add(
          index,
          whole,
          text.replaceAll(/\$(\d)/g, (_, at: string) => given[Number(at) - 1] ?? ''),
        );
    }
    for (const [pattern, put] of PARTS)
      for (const { 0: whole, 1: inside = '', index } of body.matchAll(pattern))
        add(index, whole, put(inside));
    for (const { 0: whole, 1: name = '', index } of body.matchAll(LINK))
      if (body.startsWith('](', index - 2) && body.startsWith(')', index + whole.length))
        add(index, whole, isPage(name) ? `<${name.replaceAll('?', '%3F')}>` : '');
      else if (!isPage(name)) add(index, whole, markdownText(name));
      else if (whole.startsWith('#')) add(index, '#', '');
    for (const [start, length] of shifts) edits.push({ start, end: start + length, text: '' });
    return edits.length === 0 ? NOTHING : { edits, wordsUnshown };
  };
}

/**
 * Blocks below a heading or a paragraph are indented, and no list stands around them; CommonMark would read them as code, which Logseq does not know. Start of a
 * line → characters of its indent that go.
 */
function indentsOutsideOfLists(body: string): Map<number, number> {
  const found = new Map<number, number>();
  if (!/^(?:\t| {2,})[ \t]*[-*+] /m.test(body)) return found;
  let isInList = false;
  let shift = '';
  let start = 0;
  for (const line of body.split('\n')) {
    const [, indent = '', mark] = /^([ \t]*)([-*+](?=\s|$))?/.exec(line) ?? [];
    if (line.trim() !== '') {
      if (shift !== '' && !line.startsWith(shift)) shift = '';
      if (indent === '') isInList = mark !== undefined;
      else if (!isInList && shift === '' && mark !== undefined) shift = indent;
      if (shift !== '') found.set(start, shift.length);
    }
    start += line.length + 1;
  }
  return found;
}
