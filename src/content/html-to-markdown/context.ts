import type { Labels } from '../labels.ts';
import type { HastElement } from './hast.ts';

/** What one conversion knows and notes. */
export interface Conversion {
  readonly labels: Labels;
  /** Elements to keep as raw HTML, because their Markdown did not render to the same HTML. */
  readonly forced: ReadonlySet<number>;
  /** The address to write for one that the page has. */
  readonly rewrite: (url: string) => string;
  /** Heading → the id to write behind its text; a heading that is not in it gets the right id by itself. */
  readonly headingIds: ReadonlyMap<number, string>;
  readonly raw: RawHtml[];
}

/** HTML that stays HTML inside the Markdown. */
export interface RawHtml {
  readonly element: string;
  readonly reason: string;
  /** `block`: the element with all that is in it · `wrapper`: its tags only, around Markdown · `inline`: within a text. */
  readonly scope: 'block' | 'wrapper' | 'inline';
}

/** An element's number in its tree; the converter copies trees, and the number is what it copies along. */
export function numberOf(element: HastElement): number {
  const number: unknown = Reflect.get(element.data ?? {}, 'kbsync');
  return typeof number === 'number' ? number : -1;
}

export function setNumber(element: HastElement, number: number): void {
  Reflect.set(element, 'data', { kbsync: number });
}
