import type { DesiredFields, Fields } from '../model/fields.ts';
import { familyOf, pathOf } from '../model/key.ts';
import type { Problem } from '../model/problem.ts';
import type { DesiredRecord } from '../model/record.ts';
import { assemble } from './assemble.ts';
import { listingOf } from './reading/listing.ts';
import { IGNORED_NAMES } from './files/tree.ts';
import { newFrontMatter } from './front-matter/write.ts';
import type { MatterEntry } from './front-matter/write.ts';
import { linkResolver } from './links/resolve-links.ts';
import { linkWriter } from './links/write-links.ts';
import type { ContentOptions } from './options.ts';
import { kbsyncPreset, splitPrefix } from './presets/layouts/kbsync.ts';
import { loadLayout } from './presets/load-layout.ts';
import { githubMarkdown } from './markdown/github-markdown.ts';
import { relinked } from './markdown/relink.ts';
import type { SourceFile } from './corpus/corpus.ts';

/** A repository of another system as the files of our own layout that make the same records. */
export interface Conversion {
  /** Of the files as they are; an error means that some record has no file. */
  readonly problems: readonly Problem[];
  readonly fileCount: number;
  readonly languages: readonly string[];
  /** One at a time, because all of them together may be large. Throws ContentError `changed`. */
  readonly files: () => Iterable<ConvertedFile>;
}

export interface ConvertedFile {
  /** From the new content folder, POSIX. */
  readonly path: string;
  readonly text: string;
  /** Files that this one shows, by the path that both folders have in common; absolute on the disk. */
  readonly assets: readonly { readonly path: string; readonly diskPath: string }[];
  /** Addresses that could not be rewritten. */
  readonly left: readonly string[];
}

/** Reads as `loadDesired` does. @throws ContentError `no-content` */
export async function convert(options: ContentOptions): Promise<Conversion> {
  const listing = listingOf(options, await loadLayout(options.preset));
  const { state, problems, corpus, markdown } = assemble(listing, { ...options, cacheFile: undefined });
  const links = linkResolver(corpus);
  const addresses = linkWriter(options);
  const paths = new Map<SourceFile, string>();
  for (const file of corpus.files) {
    const record = state.records.get(file.key);
    if (record !== undefined) paths.set(file, nativePath(record));
  }
  const disk = new Map(listing.tree.files.map(({ path, diskPath }) => [path, diskPath]));

  const convertedFile = (file: SourceFile, path: string, record: DesiredRecord): ConvertedFile => {
    const assets = new Map<string, string>();
    const readdress = (written: string, isImage: boolean): string => {
      const { target } = links.resolve(file, written, isImage);
      if (target.to === 'top') return '#top';
      // Our own layout has no site of its own: the address that the link leads to is written out.
      if (target.to === 'site') return addresses.write(target, written).url ?? written;
      if (target.to === 'asset' && target.path.startsWith('../')) return written;
      if (target.to === 'asset') {
        const diskPath = disk.get(target.path);
        if (diskPath !== undefined) assets.set(target.path, diskPath);
        return `${relativeAddress(path, target.path)}${target.rest}`;
      }
      const there = target.to === 'record' ? paths.get(target.file) : undefined;
      return there === undefined || target.to !== 'record'
        ? written
        : `${relativeAddress(path, there)}${target.rest}`;
    };
    const body = githubMarkdown(markdown(file) ?? '', {
      lang: file.place.lang,
      extensions: listing.preset.foreign?.dialect.extensions,
      anchors: file.document.body?.outline.anchors ?? [],
    });
    const text = relinked(body, readdress);
    const head = frontMatter(record, path, (field, resolved) => {
      const written = file.document.fields[field];
      return typeof written === 'string' ? readdress(written, true) : resolved;
    });
    const gap = text.text === '' || text.text.startsWith('\n') ? '' : '\n';
    return {
      path,
      text: `${head}${gap}${text.text}`,
      left: text.left,
      assets: [...assets].map(([asset, diskPath]) => ({ path: asset, diskPath })),
    };
  };
  return {
    // Pictures move along with the texts: nobody has to serve them yet.
    problems: problems.filter(({ code }) => code !== 'image-not-hosted'),
    fileCount: state.fileCount,
    languages: state.languages,
    files: function* () {
      for (const [file, path] of paths) {
        const record = state.records.get(file.key);
        if (record !== undefined) yield convertedFile(file, path, record);
      }
    },
  };
}

const LAYOUT = kbsyncPreset({});

/** Where our layout has the record; a path that would mean something else there gets a harmless name. */
function nativePath({ kind, key, lang }: DesiredRecord): string {
  const family = familyOf(key);
  const path = pathOf(family)
    .split('/')
    .map((name, index, all) => {
      const isOdd =
        IGNORED_NAMES.test(`${name}${index === all.length - 1 ? '.md' : ''}`) || /^\.*$|^_?index$/.test(name);
      const isNumbered = index === all.length - 1 && splitPrefix(name).ordering !== undefined;
      return isOdd || isNumbered || /[\\:*?"<>|]/.test(name)
        ? `x-${name.replaceAll(/[\\:*?"<>|~.#]/g, '-')}`
        : name;
    })
    .join('/');
  return LAYOUT.fileFor(kind, path, lang);
}

function frontMatter(
  record: DesiredRecord,
  path: string,
  addressOf: (field: string, resolved: string) => string,
): string {
  const family = familyOf(record.key);
  const keyPath = pathOf(family);
  const entries = Object.entries({ ...record.fields, ...plainReferences(record.fields) }).map(
    ([name, value]): MatterEntry => {
      const isAddress = typeof value === 'string' && name.endsWith('Url');
      return [name, isAddress ? addressOf(name, value) : value];
    },
  );
  if (LAYOUT.fileFor(record.kind, keyPath, record.lang) !== path) entries.push(['translationKey', keyPath]);
  return newFrontMatter(entries);
}

/** `category/billing` is written `billing`. */
function plainReferences({ categoryParent, categories, tags }: DesiredFields): Fields {
  return {
    ...(typeof categoryParent === 'string' ? { categoryParent: pathOf(categoryParent) } : {}),
    ...(categories === undefined ? {} : { categories: categories.map(pathOf) }),
    ...(tags === undefined ? {} : { tags: tags.map(pathOf) }),
  };
}

/** An address from one file to another, both in the new folder. */
export function relativeAddress(from: string, to: string): string {
  const here = from.split('/').slice(0, -1);
  const there = to.split('/');
  let shared = 0;
  while (shared < here.length && here[shared] === there[shared]) shared += 1;
  return `${'../'.repeat(here.length - shared)}${there.slice(shared).map(encodeURIComponent).join('/')}`;
}
