import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { boldLine } from '../parts/part-rule.ts';

/** Names of blocks of code that a reader sees: `title="a.js"`, `filename="a.js"`, `[npm]` of VitePress. */
export function fenceNames({ body, fences }: Source): Found {
  if (fences.length === 0) return NOTHING;
  const names = new Map<number, string>();
  for (const [start] of fences) {
    const name = nameOf(infoOf(body, start));
    if (name !== undefined) names.set(start, boldLine(name));
  }
  return names.size === 0 ? NOTHING : { names };
}

/** Mintlify and Fern: besides, the words behind the language are the name (```` ```bash npm ````). */
export function fenceWords(source: Source): Found {
  const { body, fences } = source;
  const names = new Map(fenceNames(source).names);
  for (const [start] of fences) {
    if (names.has(start)) continue;
    const words = infoOf(body, start)
      .replace(/^\S*/, '')
      .replaceAll(/\{[^}]*\}|[\w-]+=(?:"[^"]*"|'[^']*'|\{[^}]*\}|\S+)/g, ' ')
      .replaceAll(
        /(?:^|\s)(?:lines|wrap|expandable|theme|icon|highlight|focus|twoslash|showLineNumbers|noLineNumbers|words?)(?=\s|$)/gi,
        ' ',
      )
      .trim();
    if (words !== '') names.set(start, boldLine(words));
  }
  return names.size === 0 ? NOTHING : { names };
}

/** A name that is further away is none. */
const INFO_CHARS_MAX = 2000;

/** What stands behind the marks of a fence. */
function infoOf(body: string, start: number): string {
  const end = body.indexOf('\n', start);
  const line = body.slice(start, end < 0 ? body.length : end);
  const mark = /`{3,}|~{3,}/.exec(line);
  return mark === null
    ? ''
    : line
        .slice(mark.index + mark[0].length)
        .trimStart()
        .slice(0, INFO_CHARS_MAX);
}

function nameOf(info: string): string | undefined {
  const [, double, single, bare] =
    /(?:^|[\s{,])(?:title|filename|file|name|caption|label|tab)=(?:"([^"]+)"|'([^']+)'|([^\s"'{}]+))/.exec(
      info,
    ) ?? [];
  return double ?? single ?? bare ?? /^\S*\s*\[([^\]]+)\]/.exec(info)?.[1];
}
