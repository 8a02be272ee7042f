import { posix } from 'node:path';
import type { LocalProblem } from '../../../source-text.ts';
import type { DialectContext, Edit } from '../../preset.ts';
import { codeIn, inRanges } from '../code-ranges.ts';
import { editedText, spotsIn } from '../edits.ts';
import { pathBetween } from '../../../../text/path-between.ts';
import { fenced } from '../tokens.ts';
import type { IncludeForm, IncludingPage, Inclusion } from './form.ts';
import { dedented } from './parts.ts';
import { TEMPLATE_BUDGET } from './shortcodes.ts';

/** What is put into one page, all files together: a page of help is smaller, a circle that nobody saw is not. */
const CHARS_MAX = 2_000_000;
const DEPTH_MAX = 20;

export interface Expansion {
  readonly edits: readonly Edit[];
  readonly problems: readonly LocalProblem[];
  /** The page depends on other files. */
  readonly hasIncludes: boolean;
}

/**
 * Texts of files of the repository in place of what includes them, those of theirs put in as well. A file that is not there, that lies outside the repository or that includes itself is a
 * problem, and nothing is put in its place.
 */
export function expansion(body: string, context: DialectContext, forms: readonly IncludeForm[]): Expansion {
  const { page } = context;
  if (page === undefined || forms.length === 0) return NONE;
  const budget = { chars: CHARS_MAX };
  const world: World = { context, page, forms, budget, templates: { ...TEMPLATE_BUDGET } };
  const found = expandedIn(body, { file: page.file, isMdx: context.isMdx, trail: [page.file] }, world);
  return found.edits.length === 0 ? NONE : { ...found, hasIncludes: true };
}

const NONE: Expansion = { edits: [], problems: [], hasIncludes: false };

interface World {
  readonly context: DialectContext;
  readonly page: NonNullable<DialectContext['page']>;
  readonly forms: readonly IncludeForm[];
  readonly budget: { chars: number };
  readonly templates: IncludingPage['budget'];
}

interface Place {
  readonly file: string;
  readonly isMdx: boolean;
  /** Files that are being put in, the page first. */
  readonly trail: readonly string[];
}

function expandedIn(body: string, place: Place, world: World): Omit<Expansion, 'hasIncludes'> {
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  const inCode = inRanges(codeIn(body, false).all);
  const spotAt = spotsIn(body);
  const taken = takenRanges();
  for (const form of world.forms) {
    const { rules } = world.context;
    const rule = Object.hasOwn(rules, form.name) ? rules[form.name] : undefined;
    if (rule === 'keep' || (typeof rule === 'object' && 'keep' in rule)) continue;
    const including = {
      file: place.file,
      isMdx: place.isMdx,
      rules,
      variable: world.page.variable,
      page: world.page,
      budget: world.templates,
    };
    for (const inclusion of form.find(body, including)) {
      const { start, end } = inclusion;
      if (form.isInCode !== true && inCode(start)) continue;
      if (!taken.take(start, end)) continue;
      if (rule !== undefined) {
        edits.push({ start, end, text: rule === 'drop' ? '' : rule.replace });
        continue;
      }
      const put = textOf(inclusion, place, world);
      if ('reason' in put) {
        problems.push({
          code: 'include-failed',
          shown: body.slice(start, end).trim().slice(0, 100),
          reason: put.reason,
          spot: spotAt(start),
        });
        edits.push({ start, end, text: '' });
        continue;
      }
      problems.push(...put.problems.map((problem) => ({ ...problem, spot: spotAt(start) })));
      const isSetIn = place.isMdx && inclusion.files !== undefined && leadOf(body, start) !== '';
      edits.push({ start, end, text: indented(isSetIn ? withoutImports(put.text) : put.text, body, start) });
    }
  }
  return { edits, problems };
}

/** Ranges that do not overlap, in order. */
function takenRanges() {
  const ranges: (readonly [start: number, end: number])[] = [];
  return {
    /** False where something is taken there already. */
    take: (start: number, end: number): boolean => {
      let low = 0;
      let high = ranges.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((ranges[middle]?.[0] ?? 0) < start) low = middle + 1;
        else high = middle;
      }
      const [, before = 0] = ranges[low - 1] ?? [];
      const [after = Infinity] = ranges[low] ?? [];
      if (before > start || after < end || after === start) return false;
      ranges.splice(low, 0, [start, end]);
      return true;
    },
  };
}

type Put =
  | { readonly text: string; readonly problems: readonly LocalProblem[] }
  | { readonly reason: string };

function textOf(inclusion: Inclusion, { trail, isMdx }: Place, world: World): Put {
  const { page, budget } = world;
  if (inclusion.text !== undefined) return { text: inclusion.text, problems: [] };
  const files = inclusion.files ?? [];
  const file = files.find((candidate) => page.readText(candidate) !== undefined);
  const [wanted = ''] = files;
  if (file === undefined) return { reason: `the repository has no file \`${wanted}\`` };
  // A page may show its own source.
  if (inclusion.code === undefined && trail.includes(file))
    return { reason: `files include each other: ${[...trail, file].join(' → ')}` };
  if (trail.length > DEPTH_MAX) return { reason: `files include each other ${DEPTH_MAX} times deep` };
  const whole = page.readText(file) ?? '';
  const part = inclusion.part?.(whole) ?? { text: whole };
  if ('missing' in part) return { reason: `${part.missing} (${file})` };
  budget.chars -= part.text.length;
  if (budget.chars < 0) return { reason: `the page would have more than ${CHARS_MAX} characters` };
  if (inclusion.code !== undefined) {
    const code = dedented(part.text).replaceAll(/^\n+|\n+$/g, '');
    return { text: fenced(`\n${code}\n`, { language: inclusion.code }), problems: [] };
  }
  const adapted = inclusion.adapt?.(part.text) ?? part.text;
  const text = adapted.replace(FRONT_MATTER, '').replaceAll(/^\n+|\s+$/g, '');
  const inner = expandedIn(text, { file, isMdx, trail: [...trail, file] }, world);
  if (inclusion.isRebased !== true)
    return { text: editedText(text, inner.edits).text, problems: inner.problems };
  return { text: rebasedAround(text, inner.edits, { from: file, to: page.file }), problems: inner.problems };
}

/** What is put into the text counts from the page already; the rest of its addresses counts from its own file. */
function rebasedAround(
  text: string,
  edits: readonly Edit[],
  { from, to }: { readonly from: string; readonly to: string },
): string {
  let done = '';
  let cursor = 0;
  for (const { start, end, text: put } of [...edits].sort((a, b) => a.start - b.start)) {
    done += rebased(text.slice(cursor, start), from, to) + put;
    cursor = end;
  }
  return done + rebased(text.slice(cursor), from, to);
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\n[\s\S]*?\n---[ \t]*(?:\n|$)/;

/** Every line gets the indent of the first, where that is all that stands before it. */
function indented(text: string, body: string, start: number): string {
  const lead = leadOf(body, start);
  return lead === '' ? text : text.replaceAll(/\n(?=[^\n])/g, `\n${lead}`);
}

function leadOf(body: string, start: number): string {
  const lead = body.slice(body.lastIndexOf('\n', start - 1) + 1, start);
  return /^[ \t>]+$/.test(lead) ? lead : '';
}

/** Imports of a file that is put in are its own, and have done their work. Set in, MDX would take them for text. */
function withoutImports(text: string): string {
  if (!IMPORT.test(text)) return text;
  const inCode = inRanges(codeIn(text, false).all);
  return text
    .replaceAll(IMPORTS, (whole: string, at: number) => (inCode(at) ? whole : ''))
    .replace(/^\n+/, '');
}

const IMPORT = /^import[ \t]/m;
const IMPORTS = /^import[ \t](?:[^;'"`]{1,1000}\bfrom[ \t]*)?["'][^"'\n]{1,300}["'][ \t]*;?[ \t]*(?:\n|$)/gm;

const MARKDOWN = /(\]\(\s*<?)((?!(?:[a-z][a-z0-9+.-]*:|[/#?@~<])).[^\s()>]*)/gi;
const ATTRIBUTE = /(\s(?:src|href)=["'])((?!(?:[a-z][a-z0-9+.-]*:|[/#?@~{])).[^"'\s]*)/gi;

/** Relative links and pictures of a text of `from` as they are written in `to`. */
function rebased(text: string, from: string, to: string): string {
  const here = posix.dirname(to);
  const there = posix.dirname(from);
  if (here === there) return text;
  const moved = (_: string, head: string, address: string): string => {
    const path = pathBetween(here, posix.join(there, address));
    return `${head}${path.startsWith('.') ? path : `./${path}`}`;
  };
  return text.replaceAll(MARKDOWN, moved).replaceAll(ATTRIBUTE, moved);
}
