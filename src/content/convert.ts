import type { FieldValue } from '../model/fields.ts';
import { familyOf } from '../model/key.ts';
import type { Problem } from '../model/problem.ts';
import type { DesiredRecord } from '../model/record.ts';
import { assemble } from './assemble.ts';
import { listingOf } from './desired.ts';
import { IGNORED_NAMES } from './disk.ts';
import { newFrontMatter } from './front-matter-text.ts';
import type { MatterEntry } from './front-matter-text.ts';
import { linkResolver } from './links.ts';
import type { ContentOptions } from './options.ts';
import { kbsyncPreset, splitPrefix } from './presets/kbsync.ts';
import { relinked } from './relinked.ts';
import type { SourceFile } from './source-file.ts';

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

/** Addresses that say which record or file is meant: the link resolver writes them, and they are read back here. */
const RECORD = '/kbsync-record/';
const ASSET = 'https://kbsync-asset.invalid';
const URLS = {
  article: `${RECORD}article/{lang}/{slug}`,
  category: `${RECORD}category/{lang}/{slug}`,
  tag: `${RECORD}tag/{lang}/{slug}`,
};

/** Reads as `loadDesired` does. @throws ContentError `no-content` */
export function convert(options: ContentOptions): Conversion {
  const listing = listingOf(options);
  const marked: ContentOptions = { ...options, urls: URLS, assetsBaseUrl: ASSET, cacheFile: undefined };
  const { state, problems, site, markdown } = assemble(listing, marked);
  const links = linkResolver(site, marked);
  const paths = new Map<SourceFile, string>();
  const byAddress = new Map<string, SourceFile>();
  for (const file of site.files) {
    const record = state.records.get(file.key);
    if (record === undefined) continue;
    paths.set(file, nativePath(record));
    const slug = encodeURIComponent(String(record.fields['slug']));
    byAddress.set(`${RECORD}${record.kind}/${encodeURIComponent(record.lang)}/${slug}`, file);
  }
  const disk = new Map(listing.tree.files.map(({ path, diskPath }) => [path, diskPath]));

  const convertedFile = (file: SourceFile, path: string, record: DesiredRecord): ConvertedFile => {
    const assets = new Map<string, string>();
    const readdress = (resolved: string): string | undefined => {
      if (resolved.startsWith(`${ASSET}/`)) {
        const [, encoded = '', rest = ''] = /^([^?#]*)(.*)$/.exec(resolved.slice(ASSET.length + 1)) ?? [];
        const asset = encoded.split('/').map(decodeURIComponent).join('/');
        const diskPath = disk.get(asset);
        if (diskPath !== undefined) assets.set(asset, diskPath);
        return `${relativeAddress(path, asset)}${rest}`;
      }
      const [, address = '', rest = ''] = /^([^?#]*)(.*)$/.exec(resolved) ?? [];
      const target = byAddress.get(address);
      const targetPath = target === undefined ? undefined : paths.get(target);
      return targetPath === undefined ? undefined : `${relativeAddress(path, targetPath)}${rest}`;
    };
    const body = markdown(file);
    const text = relinked(body ?? '', (written, isImage) => {
      const { url } = links.resolve(file, written, isImage);
      return url === undefined ? written : (readdress(url) ?? written);
    });
    const head = frontMatter(record, path, (url) => readdress(url) ?? url);
    const gap = text.text === '' || text.text.startsWith('\n') ? '' : '\n';
    return {
      path,
      text: `${head}${gap}${text.text}`,
      left: text.left,
      assets: [...assets].map(([asset, diskPath]) => ({ path: asset, diskPath })),
    };
  };
  return {
    problems,
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
  const path = family
    .slice(family.indexOf('/') + 1)
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

function frontMatter(record: DesiredRecord, path: string, readdress: (url: string) => string): string {
  const family = familyOf(record.key);
  const keyPath = family.slice(family.indexOf('/') + 1);
  const entries = Object.entries(record.fields).map(([name, value]): MatterEntry => {
    const isAddress = typeof value === 'string' && name.endsWith('Url');
    return [name, isAddress ? readdress(value) : plainReferences(name, value)];
  });
  if (LAYOUT.fileFor(record.kind, keyPath, record.lang) !== path) entries.push(['translationKey', keyPath]);
  return newFrontMatter(entries);
}

/** `category/billing` is written `billing`. */
function plainReferences(name: string, value: FieldValue): FieldValue {
  const bare = (family: string): string => family.slice(family.indexOf('/') + 1);
  if (name === 'categoryParent') return typeof value === 'string' ? bare(value) : value;
  return typeof value === 'object' && value !== null ? value.map(bare) : value;
}

/** An address from one file to another, both in the new folder. */
export function relativeAddress(from: string, to: string): string {
  const here = from.split('/').slice(0, -1);
  const there = to.split('/');
  let shared = 0;
  while (shared < here.length && here[shared] === there[shared]) shared += 1;
  return `${'../'.repeat(here.length - shared)}${there.slice(shared).map(encodeURIComponent).join('/')}`;
}
