import { inRanges } from '../code-ranges.ts';
import type { Range } from '../code-ranges.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import type { Tag, TagSyntax } from '../tag.ts';
import { writtenTags } from './jsx-tags.ts';

/** Components by their capital letter: Vue's in VitePress, and those of exports that hold JSX in `.md`. */
export function components(source: Source): Found {
  const { body, isTaken } = source;
  if (!/<\/?[A-Z]/.test(body)) return NOTHING;
  const isText = outsideComments(body, isTaken);
  const tags = writtenTags(body, isText)
    .filter(({ name }) => isComponent(name))
    .map((tag): Tag => ({ ...tag, syntax: COMPONENT }));
  return { tags };
}

export function isComponent(name: string): boolean {
  return /^[A-Z]|[.]/.test(name);
}

export const COMPONENT: TagSyntax = {
  what: 'component',
  shown: ({ name }) => `<${name}>`,
  meaning: () => undefined,
};

/** Tags in comments of HTML are text. */
export function outsideComments(
  body: string,
  isTaken: (offset: number) => boolean,
): (offset: number) => boolean {
  if (!body.includes('<!--')) return isTaken;
  const comments: Range[] = [];
  for (let start = body.indexOf('<!--'); start >= 0;) {
    const close = body.indexOf('-->', start + 4);
    const end = close < 0 ? start + 4 : close + 3;
    if (!isTaken(start)) comments.push([start, end]);
    start = body.indexOf('<!--', end);
  }
  const inComment = inRanges(comments);
  return (offset) => isTaken(offset) || inComment(offset);
}
