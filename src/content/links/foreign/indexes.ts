import { keyOf } from '../../../model/key.ts';
import { once } from '../../../model/once.ts';
import type { Corpus, SourceFile } from '../../corpus/corpus.ts';
import type { Foreign } from '../../presets/preset.ts';
import type { Neighbourhood } from '../guesses.ts';
import { plainAddress } from '../written-address.ts';
import type { WrittenLink } from './written-link.ts';

/** The files that links of another system may lead to, and what is looked up among them: made when it is asked for first. */
export interface LinkedSite {
  readonly corpus: Corpus;
  readonly foreign: Foreign;
  readonly neighbours: () => Neighbourhood;
  readonly addresses: () => ReadonlyMap<string, SourceFile>;
  readonly assetsByEnd: () => ReadonlyMap<string, string>;
  readonly folders: () => PageFolders;
}

export function linkedSite(corpus: Corpus, foreign: Foreign, neighbours: () => Neighbourhood): LinkedSite {
  return {
    corpus,
    foreign,
    neighbours,
    addresses: once(() => addressesOf(corpus)),
    assetsByEnd: once(() => assetsByEnd(corpus)),
    folders: once(() => foldersOf(corpus)),
  };
}

/** A folder without a page of its own is a category. */
export function folderAt(
  corpus: Corpus,
  foreign: Foreign,
  { from, siteAddress }: WrittenLink,
): SourceFile | undefined {
  const names = siteAddress.split('/');
  if (names[0] === from.place.languageFolder) names.shift();
  if (names[0] === foreign.addressPrefix) names.shift();
  const address = names.join('/');
  const path = foreign.folderAddresses?.get(address) ?? address;
  if (path === '') return undefined;
  return (
    corpus.byKey.get(keyOf('category', path, from.place.lang)) ??
    corpus.byKey.get(keyOf('category', path, corpus.defaultLanguage))
  );
}

/** Pages by the addresses that their front matter names; without a language in front, those of the default language. */
function addressesOf(corpus: Corpus): ReadonlyMap<string, SourceFile> {
  const found = new Map<string, SourceFile>();
  for (const file of corpus.files) {
    const { lang, languageFolder } = file.place;
    for (const written of file.document.addresses ?? []) {
      const address = plainAddress(written);
      const names =
        lang === corpus.defaultLanguage ? [`${lang} ${address}`, address] : [`${lang} ${address}`];
      for (const name of [...names, `${languageFolder}/${address}`])
        if (!found.has(name)) found.set(name, file);
    }
  }
  return found;
}

/** Pictures and downloads by every end of their paths that only one of them has. */
function assetsByEnd(corpus: Corpus): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const twice = new Set<string>();
  for (const path of corpus.assets) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const end = path.slice(slash + 1);
      if (found.has(end)) twice.add(end);
      found.set(end, path);
    }
  }
  for (const end of twice) found.delete(end);
  return found;
}

export interface PageFolders {
  /** Folders of the content. */
  readonly byFile: ReadonlySet<string>;
  /** `lang folder`, as in addresses. */
  readonly byPage: ReadonlySet<string>;
}

function foldersOf(corpus: Corpus): PageFolders {
  const byFile = new Set<string>(['']);
  const byPage = new Set<string>();
  for (const { path, place } of corpus.files) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
      byFile.add(path.slice(0, slash));
    for (let slash = place.path.indexOf('/'); slash >= 0; slash = place.path.indexOf('/', slash + 1))
      byPage.add(`${place.lang} ${place.path.slice(0, slash)}`);
  }
  return { byFile, byPage };
}
