import type { ContentFolder } from '../../content/files/folder.ts';
import { htmlToMarkdown } from '../../content/html-to-markdown/html-to-markdown.ts';
import { isRead } from '../../sync/pull/places/place-records.ts';
import { pulledText } from '../../sync/pull/report.ts';
import type { PulledText } from '../../sync/pull/report.ts';
import { newFile } from '../../sync/pull/files/record-file.ts';
import type { FileContext } from '../../sync/pull/files/record-file.ts';
import type { ImportedLinks, ImportedRecord } from '../report.ts';
import { linksOf } from './page-book.ts';
import type { LinkOptions } from './page-book.ts';
import { picturesAtRisk } from '../text/expiring-pictures.ts';
import type { Places } from './place-files.ts';
import { unlessTooDeep } from '../text/plain-text.ts';

export interface WriteOptions extends LinkOptions {
  readonly folder: ContentFolder;
  readonly context: FileContext;
  readonly clean: boolean;
  readonly dryRun: boolean;
}

/** A text beyond this is no article; the largest real one has 80,000, and odd ones take time with the square of it. */
const CHARS_MAX = 1_000_000;

const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i;

const NO_LINKS: ImportedLinks = { relative: 0, left: [] };

/** One record into its new file. A file of that name that says something else stays as it is. */
export function writeFile(page: Places['placed'][number], options: WriteOptions): ImportedRecord {
  const { record, file, key } = page;
  const { kind, id, lang, fields, source } = record;
  const made = textOf(page, options);
  const end = {
    kind,
    id,
    lang,
    title: String(fields[kind === 'article' ? 'title' : 'name'] ?? ''),
    file,
    ...(kind === 'article'
      ? { status: fields['status'] === 'draft' ? ('draft' as const) : ('published' as const) }
      : {}),
    ...(source?.restricted === undefined ? {} : { restricted: source.restricted }),
    pictures: picturesAtRisk(source?.html ?? '').filter(
      ({ url }) => source === undefined || options.pictures?.fileOf(url, source) === undefined,
    ),
    ...(source === undefined ? {} : { at: source.at }),
  };
  if ('why' in made) return { ...end, action: 'left', why: made.why, notes: record.notes, links: NO_LINKS };
  const { markdown, notes, links, text } = made;
  const content = newFile(page.fetched, markdown, page, options.context);
  const rest = { notes: [...record.notes, ...notes], links, ...(text === undefined ? {} : { text }) };
  if (!isRead(file, key, options.context.layout.preset) && !content.includes('\ntranslationKey: ')) {
    return { ...end, ...rest, action: 'left', why: 'its path cannot be a file name' };
  }
  const before = options.folder.read(file);
  if (before === content) return { ...end, ...rest, action: 'unchanged' };
  if (before !== undefined) {
    return {
      ...end,
      ...rest,
      action: 'left',
      why: 'a file of this name is there with another text; move it away, or name another folder: --out DIR',
    };
  }
  const why = options.dryRun ? undefined : options.folder.create(file, content);
  return why === undefined
    ? { ...end, ...rest, action: 'created' }
    : { ...end, ...rest, action: 'left', why };
}

interface MadeText {
  readonly markdown: string;
  readonly notes: readonly string[];
  readonly links: ImportedLinks;
  readonly text?: PulledText;
}

function textOf(page: Places['placed'][number], options: WriteOptions): MadeText | { readonly why: string } {
  const { source, lang } = page.record;
  const html = source?.html ?? '';
  if (html.trim() === '') return { markdown: '', notes: [], links: NO_LINKS };
  if (html.length > CHARS_MAX) {
    return { why: `its text has ${html.length} characters; kbsync imports at most ${CHARS_MAX}` };
  }
  const { address, link, seen } = linksOf(page, options);
  const { html: mode } = options.context.layout;
  const made = unlessTooDeep(
    () => htmlToMarkdown(html, { lang, html: mode, clean: options.clean, address, link }),
    undefined,
  );
  if (made === undefined) return { why: 'its elements are nested too deeply for kbsync to read' };
  const notes = [
    ...[...seen.lostAnchors].map(
      (url) => `${url} leads to the top of the page, because the page has no such place`,
    ),
    ...[...seen.incomplete].map((url) =>
      PICTURE.test(url)
        ? `its picture ${url} stays where it is; --assets downloads it`
        : `its link ${url} leads to no imported page; if it is an address of the old site, --site completes it`,
    ),
  ];
  return {
    markdown: made.markdown,
    notes,
    links: { relative: seen.relative, left: [...seen.left] },
    text: pulledText(made),
  };
}
