import type { Edit } from '../preset.ts';
import { NOTHING } from './family.ts';
import type { Found, Source } from './family.ts';

const CJK = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LETTER = /[\p{L}\p{N}]/u;
const STRONG = /(?<![*\\])\*\*(?![\s*])([^*\n]*[^*\s])\*\*(?!\*)/g;
const SIGN = /[\p{P}\p{S}]/u;

/**
 * `**（注）**文`: CommonMark reads `**` between a punctuation mark and a letter as text, because European languages have a blank there. In languages without blanks, it means bold
 * (https://github.com/commonmark/commonmark-spec/issues/650), and their readers see stars.
 */
export function cjk(source: Source): Found {
  return strongBeside(source, CJK);
}

/** Python-Markdown and kramdown (https://kramdown.gettalong.org/syntax.html#emphasis) ask for no blank in any script: `**Note:**text` is bold. */
export function strongInWords(source: Source): Found {
  return strongBeside(source, LETTER);
}

function strongBeside({ body, isTaken }: Source, letter: RegExp): Found {
  if (!body.includes('**') || !letter.test(body)) return NOTHING;
  const edits: Edit[] = [];
  for (const { 0: whole, 1: inside = '', index } of body.matchAll(STRONG)) {
    const end = index + whole.length;
    const opens = letter.test(body.charAt(index - 1)) && SIGN.test(inside.charAt(0));
    const closes = SIGN.test(inside.at(-1) ?? '') && letter.test(body.charAt(end));
    if ((!opens && !closes) || isTaken(index) || isTaken(end - 1)) continue;
    edits.push(
      { start: index, end: index + 2, text: '<strong>' },
      { start: end - 2, end, text: '</strong>' },
    );
  }
  return edits.length === 0 ? NOTHING : { edits };
}
