import { NOTHING } from './family.ts';
import type { Found, Source } from './family.ts';
import { link } from './parts/part-rule.ts';
import type { Meaning, Part, Tag, TagSyntax } from './tag.ts';

const EMBED = /^([ \t>]*)@\[([a-zA-Z]+)([^\]\n]*)\]\(([^)\n]+)\)[ \t]*$/gm;

/** Pages in frames of VuePress' themes Plume and Hope, by name: `@[youtube](id)`, `@[codepen Title](user/slash)`. They become links. */
export function embeds({ body, isTaken }: Source): Found {
  if (!body.includes('@[')) return NOTHING;
  const tags: Tag[] = [];
  for (const { 0: whole, 1: lead = '', 2: name = '', 3: said = '', 4: address = '', index } of body.matchAll(
    EMBED,
  )) {
    const start = index + lead.length;
    if (isTaken(start)) continue;
    const args = { named: {}, positional: [address.trim(), said.trim()] };
    tags.push({ syntax: SYNTAX, name, form: 'self', start, end: index + whole.trimEnd().length, args });
  }
  return { tags };
}

const SYNTAX: TagSyntax = {
  what: 'include',
  shown: ({ name, args }) => `@[${name}](${args.positional[0] ?? ''})`,
  meaning: ({ tag }: Part): Meaning | undefined => {
    const [address = '', said = ''] = tag.args.positional;
    const url = /^https?:\/\//i.test(address) ? address : addressOf(tag.name.toLowerCase(), address);
    if (url === undefined) return undefined;
    // Words before the title say how large the frame is: `height="300" autoplay`.
    const title = said
      .replaceAll(/[\w-]+=(?:"[^"]*"|\S+)|(?<!\S)(?:autoplay|editable|\d+|tab=\S+)(?!\S)/g, ' ')
      .trim();
    return { as: 'text', text: title === '' ? `<${encodeURI(decoded(url))}>` : link(title, url) };
  },
};

function addressOf(name: string, id: string): string | undefined {
  const [first = '', second = ''] = id.split('/');
  switch (name) {
    case 'youtube':
      return `https://www.youtube.com/watch?v=${id}`;
    case 'bilibili':
      return `https://www.bilibili.com/video/${id.split(/\s+/)[0] ?? ''}`;
    case 'acfun':
      return `https://www.acfun.cn/v/${id}`;
    case 'codepen':
      return second === '' ? undefined : `https://codepen.io/${first}/pen/${second}`;
    case 'jsfiddle':
      return second === '' ? undefined : `https://jsfiddle.net/${first}/${second}/`;
    case 'codesandbox':
      return `https://codesandbox.io/p/sandbox/${second === '' ? first : second}`;
    case 'caniuse':
      return `https://caniuse.com/${id}`;
    case 'pdf':
    case 'artplayer':
    case 'audioreader':
      return /^[./]/.test(id) ? id : undefined;
    default:
      return undefined;
  }
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
