import type { Meaning, Part } from '../tag.ts';
import { KEEP, argument, boldLine, link, markdownText, target } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/** Videos and other pages in frames become links: a knowledge base takes no frames. */
export const MEDIA: PartRules = {
  youtube: (part) => watch(part, (id) => `https://www.youtube.com/watch?v=${id}`),
  youtubeembed: (part) => watch(part, (id) => `https://www.youtube.com/watch?v=${id}`),
  youtubelite: (part) => watch(part, (id) => `https://www.youtube.com/watch?v=${id}`),
  liteyoutubeembed: (part) => watch(part, (id) => `https://www.youtube.com/watch?v=${id}`),
  liteyoutube: (part) => watch(part, (id) => `https://www.youtube.com/watch?v=${id}`),
  vimeo: (part) => watch(part, (id) => `https://vimeo.com/${id}`),
  gist: gistOf,
  embed: frameOf,
  iframe: frameOf,
  loom: frameOf,
  video: videoOf,
  file: fileOf,
  figure: figureOf,
  frame: frameAround,
  image: imageOf,
  img: imageOf,
  zoomableimage: imageOf,
  imagezoom: imageOf,
  themedimage: imageOf,
};

function watch(part: Part, addressOf: (id: string) => string): Meaning | undefined {
  const id = argument(part, 'id', 'videoId', 'videoid', 'src', 'url', '0');
  if (id === undefined) return undefined;
  const address = /^https?:/.test(id) ? watchAddress(id) : addressOf(id);
  return frame(part, address);
}

function frameOf(part: Part): Meaning | undefined {
  const address = argument(part, 'src', 'url', 'href', '0');
  return address === undefined ? undefined : frame(part, watchAddress(address));
}

/** A link in place of a frame, named by its title or its address. */
function frame(part: Part, address: string): Meaning {
  const title = argument(part, 'title', 'caption', 'name', 'label');
  return {
    as: 'text',
    text:
      title === undefined ? `<${address.replaceAll(/[\s<>]/g, encodeURIComponent)}>` : link(title, address),
  };
}

/** Where people watch what a frame shows. */
export function watchAddress(url: string): string {
  const address = url.startsWith('//') ? `https:${url}` : url;
  const [, youtube] =
    /^https?:\/\/(?:www\.)?(?:youtube(?:-nocookie)?\.com\/embed\/|youtu\.be\/)([\w-]{6,})/i.exec(address) ??
    [];
  if (youtube !== undefined && youtube !== 'videoseries') {
    const start = /[?&](?:start|t)=(\d+)/.exec(address)?.[1];
    return `https://www.youtube.com/watch?v=${youtube}${start === undefined ? '' : `&t=${start}`}`;
  }
  const [, vimeo] = /^https?:\/\/player\.vimeo\.com\/video\/(\d+)/i.exec(address) ?? [];
  if (vimeo !== undefined) return `https://vimeo.com/${vimeo}`;
  const [, loom] = /^https?:\/\/(?:www\.)?loom\.com\/embed\/(\w+)/i.exec(address) ?? [];
  return loom === undefined ? address : `https://www.loom.com/share/${loom}`;
}

function videoOf(part: Part): Meaning | undefined {
  const address =
    argument(part, 'src', 'url', '0') ?? /<source\s[^>]*\bsrc=["']([^"']+)["']/.exec(part.inside)?.[1];
  return address === undefined ? undefined : frame(part, watchAddress(address));
}

/** GitBook's: a file to download, with its caption. Inside a tree of files the tree speaks for it. */
function fileOf(part: Part): Meaning | undefined {
  const address = argument(part, 'src');
  if (address === undefined) return undefined;
  const caption = part.inside.trim() === '' ? argument(part, 'caption', 'title') : part.inside;
  const name = address.slice(address.lastIndexOf('/') + 1);
  return { as: 'text', text: link(caption ?? name, address) };
}

function gistOf(part: Part): Meaning | undefined {
  const user = argument(part, '0');
  const id = argument(part, '1');
  if (user === undefined) return undefined;
  return { as: 'text', text: `<https://gist.github.com/${id === undefined ? user : `${user}/${id}`}>` };
}

/** Hugo's: picture, link around it, title and caption below it. */
function figureOf(part: Part): Meaning | undefined {
  const source = argument(part, 'src', 'image', 'url', '0');
  if (source === undefined) return part.closer === undefined ? undefined : captioned(part);
  const caption = argument(part, 'caption', 'attr');
  const title = argument(part, 'title');
  const picture = `![${markdownText(argument(part, 'alt') ?? caption ?? title ?? '')}](${target(source)})`;
  const address = argument(part, 'link', 'href');
  const linked = address === undefined ? picture : `[${picture}](${target(address)})`;
  const below = [
    ...(title === undefined ? [] : [boldLine(title)]),
    ...(caption === undefined ? [] : [caption]),
  ];
  return { as: 'text', text: [linked, ...below].join('\n\n') };
}

/** Mintlify's and Fern's: something to look at, with its caption below. */
function frameAround(part: Part): Meaning | undefined {
  return part.closer === undefined ? frameOf(part) : captioned(part);
}

function captioned(part: Part): Meaning {
  const caption = argument(part, 'caption', 'title', 'hint');
  return caption === undefined ? KEEP : { as: 'labelled', label: '', below: `*${markdownText(caption)}*` };
}

/**
 * A picture component of some generator. A picture with an unknown address is not dropped; what stands inside is its caption
 * (https://docs.readme.com/rdmd/docs/images), and its title the one that browsers show beside the pointer.
 */
export function imageOf(part: Part): Meaning | undefined {
  const source = argument(part, 'src', 'source', 'url', 'light', 'img', '0') ?? computedSource(part);
  if (source === undefined) return part.closer === undefined ? undefined : KEEP;
  const title = argument(part, 'title');
  const alt = argument(part, 'alt') ?? title ?? '';
  const hint =
    title === undefined || title === alt ? '' : ` "${markdownText(title).replaceAll('"', '&quot;')}"`;
  const picture = `![${markdownText(alt)}](${target(source)}${hint})`;
  const caption = argument(part, 'caption');
  if (caption === undefined && part.closer !== undefined && part.inside.trim() !== '')
    return { as: 'labelled', label: picture };
  return {
    as: 'text',
    text: caption === undefined ? picture : `${picture}\n\n*${markdownText(caption)}*`,
    ...(caption === undefined ? { isInline: true } : {}),
  };
}

/** `{require('./a.png').default}`, `{useBaseUrl('/a.png')}`, the light one of `sources={{ light: … }}`. */
export function computedSource({ tag }: Part): string | undefined {
  const { computed = {} } = tag.args;
  const source = computed['src'] ?? computed['source'] ?? computed['sources'] ?? computed['url'];
  return source === undefined ? undefined : addressIn(source);
}

export function addressIn(expression: string): string | undefined {
  const [, , called] = /(?:require|useBaseUrl|withBase)\(\s*(["'`])([^"'`]+)\1/.exec(expression) ?? [];
  return called ?? /\blight:\s*["'`]([^"'`]+)["'`]/.exec(expression)?.[1];
}
