import { diffArrays } from 'diff';

/** Both sides of a changed text; words that are gone stand in `del`, new ones in `ins`. Tags are never wrapped. */
export interface MarkedHtml {
  readonly before: string;
  readonly after: string;
  readonly removed: number;
  readonly added: number;
}

/** A comparison that takes longer shows its blocks whole. */
const TIMEOUT_MS = 200;

/**
 * Marks what differs between two well-formed HTML texts: blocks first, then words inside those that changed, so each
 * side keeps its own structure. A block without a counterpart is marked as a whole, word by word.
 */
export function markedHtml(before: string, after: string): MarkedHtml {
  const runs = diffArrays([...blocksOf(before)], [...blocksOf(after)], { timeout: TIMEOUT_MS });
  if (runs === undefined) return pair(before, after);
  const sides: MarkedHtml[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at];
    if (run === undefined) continue;
    const next = runs[at + 1];
    if (run.removed && next?.added === true) {
      sides.push(...pairs(run.value, next.value));
      at += 1;
    } else if (run.removed) sides.push(...pairs(run.value, []));
    else if (run.added) sides.push(...pairs([], run.value));
    else sides.push({ before: run.value.join(''), after: run.value.join(''), removed: 0, added: 0 });
  }
  return {
    before: sides.map((side) => side.before).join(''),
    after: sides.map((side) => side.after).join(''),
    removed: sides.reduce((sum, side) => sum + side.removed, 0),
    added: sides.reduce((sum, side) => sum + side.added, 0),
  };
}

/** Blocks in order: the first old one beside the first new one of the same sort. */
function pairs(old: readonly string[], now: readonly string[]): readonly MarkedHtml[] {
  const marked: MarkedHtml[] = [];
  let next = 0;
  for (const block of old) {
    const found = now.findIndex((other, index) => index >= next && sortOf(other) === sortOf(block));
    if (found < 0) {
      marked.push(pair(block, ''));
      continue;
    }
    for (; next < found; next += 1) marked.push(pair('', now[next] ?? ''));
    marked.push(pair(block, now[found] ?? ''));
    next = found + 1;
  }
  for (; next < now.length; next += 1) marked.push(pair('', now[next] ?? ''));
  return marked;
}

function sortOf(block: string): string {
  return /^\s*<(\w+)/.exec(block)?.[1] ?? '';
}

function pair(before: string, after: string): MarkedHtml {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const runs =
    before === '' || after === '' ? undefined : diffArrays([...old], [...now], { timeout: TIMEOUT_MS });
  if (runs === undefined) {
    const [gone, fresh] = [marked(old, 'del'), marked(now, 'ins')];
    return { before: gone.html, after: fresh.html, removed: gone.words, added: fresh.words };
  }
  let [left, right, removed, added] = ['', '', 0, 0];
  for (const run of runs) {
    if (run.removed) {
      const { html, words } = marked(run.value, 'del');
      left += html;
      removed += words;
    } else if (run.added) {
      const { html, words } = marked(run.value, 'ins');
      right += html;
      added += words;
    } else {
      left += run.value.join('');
      right += run.value.join('');
    }
  }
  return { before: left, after: right, removed, added };
}

function marked(
  tokens: readonly string[],
  tag: 'ins' | 'del',
): { readonly html: string; readonly words: number } {
  let html = '';
  let open = '';
  let words = 0;
  const close = (): void => {
    if (open !== '') html += open.trim() === '' ? open : `<${tag}>${open}</${tag}>`;
    open = '';
  };
  for (const token of tokens) {
    if (token.startsWith('<')) {
      close();
      html += token;
      continue;
    }
    open += token;
    if (/[\p{L}\p{N}]/u.test(token)) words += 1;
  }
  close();
  return { html, words };
}

const VOID = new Set(['br', 'hr', 'img', 'input', 'wbr', 'col', 'source']);

/** The elements on the outermost level, with what stands between them. */
function blocksOf(html: string): readonly string[] {
  const blocks: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: tag, 1: slash, 2: name = '', index } of html.matchAll(
    /<(\/?)([a-z][\w-]*)(?![\w-])[^<>]*>/gi,
  )) {
    if (VOID.has(name.toLowerCase()) || tag.endsWith('/>')) continue;
    if (slash === '/') depth = Math.max(0, depth - 1);
    else {
      if (depth === 0 && index > start) {
        blocks.push(html.slice(start, index));
        start = index;
      }
      depth += 1;
    }
    const end = index + tag.length;
    if (slash === '/' && depth === 0) {
      blocks.push(html.slice(start, end));
      start = end;
    }
  }
  if (start < html.length) blocks.push(html.slice(start));
  return blocks;
}

/** Tags, entities, words, spaces and single signs. */
const TOKENS = /<[^>]*>|&#?\w+;|[\p{L}\p{N}\p{M}_]+|\s+|[^\s\p{L}\p{N}\p{M}_]/gu;
const WITHOUT_SPACES =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
let segmenter: Intl.Segmenter | undefined;

function tokensOf(html: string): readonly string[] {
  const tokens = html.match(TOKENS) ?? [];
  if (!WITHOUT_SPACES.test(html)) return tokens;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const words = segmenter;
  return tokens.flatMap((token) =>
    !token.startsWith('<') && WITHOUT_SPACES.test(token)
      ? [...words.segment(token)].map(({ segment }) => segment)
      : [token],
  );
}
