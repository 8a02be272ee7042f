import type { Sql } from '../store/store.ts';
import { sidesOf } from './records.ts';

/** The sides of the stored pictures that a text shows, by digest. */
export type Sides = Awaited<ReturnType<typeof sidesOf>>;

const DIGEST = /\/files\/([0-9a-f]{64})\//g;
/** Of one text, so many pictures are looked up. */
const PICTURES_MAX = 500;

export async function sidesIn(sql: Sql, html: string): Promise<Sides> {
  if (!html.includes('/files/')) return new Map();
  const digests = new Set([...html.matchAll(DIGEST)].map(([, digest = '']) => digest));
  return sidesOf(sql, [...digests].slice(0, PICTURES_MAX));
}

/** The text with `width` and `height` on its stored pictures, so the page does not move when they come. */
export function withSides(html: string, sides: Sides): string {
  if (sides.size === 0) return html;
  return html.replaceAll(IMAGE, (tag, digest: string) => {
    const found = sides.get(digest);
    if (found === undefined || /\s(?:width|height)\s*=/i.test(tag)) return tag;
    return tag.replace(/^<img/i, `<img width="${found.width}" height="${found.height}"`);
  });
}

const IMAGE =
  /<img\b[^<>]{0,2000}?\ssrc="(?:https?:\/\/[^"/<>]{1,255})?\/files\/([0-9a-f]{64})\/[^"<>]{1,100}"[^<>]{0,2000}?>/gi;
