import { withoutComments, withoutSpans } from '../../text/spans.ts';
import { proseOf } from './raw-syntax.ts';
import { WITH_TEXT, sanitise } from './sanitise.ts';

/** Words of a text as a reader counts them. */
function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** Words of a source that its reader should see: no comments, tags, calls, addresses and modules. Code counts. */
export function sourceWords(source: string): number {
  const uncommented = withoutSpans(source, COMMENT, {
    closingOf: ([mark]) => COMMENT_END[mark] ?? mark,
    instead: ' ',
  });
  const elements = { closingOf: ({ 1: name = '' }: RegExpExecArray) => `</${name}>`, instead: ' ' };
  return wordCount(
    withoutSpans(uncommented, /<(script|style|svg)\b/gi, elements)
      .replaceAll(/^(?:import|export)\s[^\n]*(?:\n(?!\s*\n)[^\n]*)*/gm, ' ')
      .replaceAll(/\{\{[\s\S]{0,2000}?\}\}|\{%[\s\S]{0,2000}?%\}/g, ' ')
      .replaceAll(/<\/?[A-Za-z](?:[^<>"'{]|"[^"]*"|'[^']*'|\{[^{}]*\})*>/g, ' ')
      .replaceAll(/\]\([^)\n]{0,2000}\)|^[ \t]*\[[^\]\n]+\]:[^\n]*$/gm, ' ')
      .replaceAll(/(?:https?|ftp):\/\/[^\s)>\]"']+/g, ' ')
      .replaceAll(PROPERTIES, (_, yaml: string) => ` ${(yaml.match(PROPERTY_TEXTS) ?? []).join(' ')} `)
      .replaceAll(/^[ \t]*(?::{3,}|::[a-z]|!!!|\?\?\?\+?|\/{3,}|\{:)[^\n]*$/gm, ' '),
  );
}

const COMMENT = /<!--|\{\/\*|%%/g;
const COMMENT_END: Readonly<Record<string, string>> = { '<!--': '-->', '{/*': '*/}' };

/** Of a component of MDC, right below its opening line: names of icons, colours and classes are no words of the page. */
const PROPERTIES = /^[ \t]*:{2,}[a-z][^\n]*\n[ \t]*---[ \t]*\n([\s\S]{0,2000}?)\n?[ \t]*---[ \t]*$/gm;
const PROPERTY_TEXTS =
  /(?<=^[ \t-]*(?:title|headline|description|label|content|text|question|answer|quote|caption)[ \t]*:)[^\n]*/gm;

/** A page that loses fewer words is too short to be judged by its share. */
const WORDS_MIN = 20;

export function isMuchLost(lost: number, all: number): boolean {
  return lost >= WORDS_MIN && lost > all / 3;
}

/** Words that a page shows; those that stand for a picture are among them. */
export function shownWords(html: string): number {
  const pictured = withoutComments(html, ' ').replaceAll(PICTURE, ' $1 ');
  return wordCount(pictured.replaceAll(/<\/?[a-zA-Z][^<>]*>/g, ' '));
}

/** Up to the next `<` and no further: however many tags have no end, each sign is looked at once. */
const PICTURE = /<img\b(?:(?!\balt=)[^<>])*\balt="([^"]*)"[^<>]*>/g;

export interface Swallower {
  readonly name: string;
  /** Which piece of raw HTML it stands in, and where. */
  readonly piece: number;
  readonly offset: number;
}

const TAG = /<(\/?)([a-z][a-z0-9]*)\b(?:[^<>"']|"[^"]*"|'[^']*'){0,4000}>/gi;

/** The first element that begins in a piece of raw HTML, is never closed, and takes what follows along when it goes. */
export function swallowerIn(pieces: readonly string[]): Swallower | undefined {
  let open: Swallower | undefined;
  for (const [piece, html] of pieces.entries()) {
    for (const { 1: slash, 2: written = '', index } of html.matchAll(TAG)) {
      const name = written.toLowerCase();
      if (open === undefined) {
        if (slash === '' && WITH_TEXT.includes(name)) open = { name, piece, offset: index };
      } else if (slash === '/' && name === open.name) open = undefined;
    }
  }
  return open;
}

/** Words that go with what swallows them. */
export function swallowedWords(html: string): number {
  return wordCount(proseOf(html)) - wordCount(proseOf(sanitise(html)));
}
