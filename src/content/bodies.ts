import { digestOfText } from '../model/digest.ts';
import type { SourceFile } from './corpus/corpus.ts';
import type { BodySource } from './document/document.ts';
import { foreignBody } from './document/foreign-document.ts';
import { readStable } from './files/disk.ts';
import { bodyOf } from './front-matter/front-matter.ts';
import type { FrontMatterForm } from './front-matter/front-matter.ts';
import { headingIds } from './markdown/heading-id.ts';
import { renderedBody } from './markdown/render.ts';
import type { RenderOptions } from './markdown/render.ts';
import { ContentError } from './options.ts';
import type { ReadOptions } from './reading/read-files.ts';
import { sourceText } from './source-text.ts';

/** Of the bodies that are kept, UTF-16 units: a thousand edited articles, not a whole knowledge base. */
const KEPT_CHARS_MAX = 5_000_000;

export interface BodyMemo<Of> {
  /** `last`: nobody will ask again, so it is not kept. */
  readonly html: (of: Of, render: () => string, asked: 'last' | undefined) => string;
}

/**
 * Survey, plan and write each ask for a changed record's body. The bodies asked for last are kept: the file is read and
 * rendered once, and what was planned is what is sent.
 */
export function bodyMemo<Of>(): BodyMemo<Of> {
  const kept = new Map<Of, string>();
  let chars = 0;
  return {
    html: (of, render, asked) => {
      const known = kept.get(of);
      if (asked === 'last' && known !== undefined) {
        kept.delete(of);
        chars -= known.length;
      }
      if (known !== undefined) return known;
      const html = render();
      // A body that is kept until younger ones push it out costs more than its memory: V8 has moved it twice by then.
      if (asked === 'last') return html;
      kept.set(of, html);
      chars += html.length;
      for (const [oldest, { length }] of kept) {
        if (chars <= KEPT_CHARS_MAX) break;
        kept.delete(oldest);
        chars -= length;
      }
      return html;
    },
  };
}

/** What makes a file's body again. Records are kept to the end of a run, and all else that their files say need not be. */
export interface BodyFile extends Pick<SourceFile, 'path' | 'diskPath' | 'shown' | 'place'> {
  readonly body: Omit<BodySource, 'outline' | 'topId'>;
  readonly needsSanitiser: boolean;
  /** See `isPlain` of Outline. */
  readonly plainIds: RenderOptions['plainIds'];
}

export function bodyFile({ path, diskPath, shown, place }: SourceFile, source: BodySource): BodyFile {
  const { digest, line, translatedDigest, titleId, outline } = source;
  return {
    path,
    diskPath,
    shown,
    place,
    body: {
      digest,
      line,
      ...(translatedDigest === undefined ? {} : { translatedDigest }),
      ...(titleId === undefined ? {} : { titleId }),
    },
    needsSanitiser: outline.needsSanitiser,
    plainIds: outline.isPlain === true ? outline.anchors : undefined,
  };
}

/** Renders bodies that records ask for. It holds nothing of the folder. */
export type RenderBody = (
  file: BodyFile,
  links: ReadonlyMap<string, string>,
  asked: 'last' | undefined,
) => string;

export function bodyRenderer(options: ReadOptions): RenderBody {
  const bodies = bodyMemo<BodyFile>();
  return (file, links, asked) => bodies.html(file, () => fileHtml(file, links, options), asked);
}

/** What a file's body shows. @throws ContentError `changed` */
export function fileHtml(file: BodyFile, links: ReadonlyMap<string, string>, options: ReadOptions): string {
  const markdown = fileMarkdown(file, options);
  const { translatedDigest } = file.body;
  const isAsRead = translatedDigest === undefined || digestOfText(markdown) === translatedDigest;
  return bodyHtml(file, markdown, links, options, isAsRead ? file.plainIds : undefined);
}

export function bodyHtml(
  {
    place,
    body,
    needsSanitiser,
  }: Pick<BodyFile, 'place' | 'needsSanitiser'> & {
    readonly body: Pick<BodySource, 'titleId'>;
  },
  markdown: string,
  links: ReadonlyMap<string, string>,
  options: ReadOptions,
  plainIds?: RenderOptions['plainIds'],
): string {
  return renderedBody(markdown, {
    links,
    plainIds,
    html: options.html,
    needsSanitiser,
    lang: place.lang,
    extensions: options.dialect?.extensions,
    headingIds: headingIds(options.dialect?.headingIds, body.titleId === undefined ? [] : [body.titleId]),
  });
}

/** Reads the body again: keeping every source in memory would cost more than reading the few that are rendered. */
export function fileMarkdown(file: BodyFile, options: ReadOptions): string {
  const source = file.body;
  const read = readStable(file.diskPath, options.drafts?.get(file.path));
  const text = read.state === 'read' ? sourceText(read.bytes).text : undefined;
  const { dialect } = options;
  const body = text === undefined ? undefined : sameBody(text, source, dialect?.form);
  if (body === undefined) {
    throw new ContentError('changed', `${file.shown} changed while the run was under way; run again`);
  }
  if (dialect === undefined) return body;
  return foreignBody(body, file.place, { ...options, dialect }, source.titleId !== undefined).text;
}

/** The body that was read before; its digest proves it, so the front matter need not be parsed again to find its end. */
function sameBody(
  text: string,
  { digest, line }: BodyFile['body'],
  form?: FrontMatterForm,
): string | undefined {
  const below = fromLine(text, line);
  if (digestOfText(below) === digest) return below;
  const body = bodyOf(text, form);
  return digestOfText(body) === digest ? body : undefined;
}

function fromLine(text: string, line: number): string {
  let start = 0;
  for (let at = 1; at < line && start >= 0; at += 1) start = text.indexOf('\n', start) + 1 || -1;
  return start < 0 ? '' : text.slice(start);
}
