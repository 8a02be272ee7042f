import { type Handler, Parser } from 'htmlparser2';
import { walkPlainHtml } from './plain-html.ts';

export interface ReadHtml {
  /** Absolute http and https addresses that the HTML links to, each once, in their first order. */
  readonly links: readonly string[];
  /** The beginning of the text, cut at a sentence or a word: at most 200 characters. Same HTML, same summary. */
  readonly summary: string;
  /** All the text that a reader sees, code too, with single spaces. */
  readonly text: string;
  /** The elements are nested deeper than anybody means them to be. */
  readonly isTooDeep: boolean;
  /** How many elements there are. */
  readonly elements: number;
}

/** Real pages stay below 60. */
export const DEPTH_MAX = 256;

const SUMMARY_CHARS_MAX = 200;
/** Text beyond this cannot reach the summary. */
const TEXT_CHARS_MAX = 2 * SUMMARY_CHARS_MAX;
/** Of one run of text, white space included, only this much is looked at. */
const RUN_CHARS_MAX = 2000;
const URL_CHARS_MAX = 2048;
/** Elements whose text is not prose. */
const SILENT = new Set([
  'script',
  'style',
  'pre',
  'template',
  'svg',
  'math',
  'noscript',
  'iframe',
  'textarea',
]);
/** Elements whose text nobody sees. */
const UNSEEN = new Set(['script', 'style', 'template']);
/** Elements inside a line: what surrounds them may be one word. */
const INLINE = new Set([
  'a',
  'b',
  'i',
  'em',
  'strong',
  'code',
  'span',
  'u',
  's',
  'sub',
  'sup',
  'mark',
  'kbd',
  'wbr',
]);

/** Reads what the list, the link manager and the search show of an article's content; any text is HTML, nothing throws. Linear. */
export function readHtml(html: string): ReadHtml {
  const plain = createReading();
  if (walkPlainHtml(html, plain.handler, DEPTH_MAX)) return plain.read(false);
  const reading = createReading();
  let isTooDeep = false;
  for (let at = 0; at < html.length;) {
    const parser = new Parser(reading.handler);
    try {
      parser.end(html.slice(at));
      break;
    } catch (error) {
      if (error !== TOO_DEEP) throw error;
      // What the parser does for an element goes up with its depth: the rest is read as if all were closed here.
      isTooDeep = true;
      at += parser.endIndex + 1;
      reading.closeAll();
    }
  }
  return reading.read(isTooDeep);
}

interface Reading {
  readonly handler: Partial<Handler>;
  readonly closeAll: () => void;
  readonly read: (isTooDeep: boolean) => ReadHtml;
}

function createReading(): Reading {
  const links = new Set<string>();
  const hrefs = new Set<string>();
  let text = '';
  let shown = '';
  let silentDepth = 0;
  let unseenDepth = 0;
  let depth = 0;
  let elements = 0;
  const handler: Partial<Handler> = {
    onopentag(name, attributes) {
      depth += 1;
      elements += 1;
      if (depth > DEPTH_MAX) throw TOO_DEEP;
      const href = name === 'a' || name === 'area' ? attributes['href'] : undefined;
      if (href !== undefined && !hrefs.has(href)) {
        hrefs.add(href);
        const link = webAddress(href);
        if (link !== undefined) links.add(link);
      }
      if (SILENT.has(name)) silentDepth += 1;
      if (UNSEEN.has(name)) unseenDepth += 1;
      if (INLINE.has(name)) return;
      shown += ' ';
      if (!text.endsWith(' ')) text += ' ';
    },
    onclosetag(name) {
      depth -= 1;
      if (SILENT.has(name)) silentDepth -= 1;
      if (UNSEEN.has(name)) unseenDepth -= 1;
      if (INLINE.has(name)) return;
      shown += ' ';
      if (!text.endsWith(' ')) text += ' ';
    },
    ontext(chunk) {
      if (unseenDepth === 0) shown += chunk;
      if (silentDepth > 0 || text.length >= TEXT_CHARS_MAX) return;
      text += singleSpaced(chunk.slice(0, RUN_CHARS_MAX));
    },
  };
  return {
    handler,
    closeAll() {
      [depth, silentDepth, unseenDepth] = [0, 0, 0];
    },
    read(isTooDeep) {
      const plain = singleSpaced(shown).trim();
      return { links: [...links], summary: summaryOf(text), text: plain, isTooDeep, elements };
    },
  };
}

/** Each run of white space becomes one space. Most are one already: to replace those too took a third of the whole reading. */
function singleSpaced(text: string): string {
  return text.replaceAll(/[^\S ]\s*| \s+/g, ' ');
}

/** The parser has no other way to be stopped. */
const TOO_DEEP = new Error('nested too deep');

/** Most links of a page. The URL parser would refuse each by an error, and that was a quarter of the whole reading. */
const RELATIVE = /^(?:[#.?]|\/(?!\/))/;

function webAddress(href: string): string | undefined {
  const text = href.trim();
  if (text.length > URL_CHARS_MAX || RELATIVE.test(text)) return undefined;
  try {
    const url = new URL(text.startsWith('//') ? `https:${text}` : text);
    // Escaping makes an address longer, and an index takes no more.
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    return isWeb && url.href.length <= URL_CHARS_MAX ? url.href : undefined;
  } catch {
    return undefined; // relative, or no address at all
  }
}

function summaryOf(text: string): string {
  const plain = singleSpaced(text).trim();
  if (plain.length <= SUMMARY_CHARS_MAX) return plain;
  const start = plain.slice(0, SUMMARY_CHARS_MAX);
  const sentence = /^.{60,}[.!?。！？](?=\s|$|[。！？])/su.exec(start)?.[0];
  if (sentence !== undefined) return sentence;
  const word = start.slice(0, SUMMARY_CHARS_MAX - 1).replace(/\s+\S*$/, '');
  // Half a surrogate pair at the cut would no longer be text.
  return `${word.replace(/[\ud800-\udbff]$/, '')}…`;
}
