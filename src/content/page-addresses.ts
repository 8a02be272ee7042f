import type { Site, SourceFile } from './source-file.ts';

/** Pages by the addresses that their front matter names; without a language in front, those of the default language. */
export function addressesOf(site: Site): ReadonlyMap<string, SourceFile> {
  const found = new Map<string, SourceFile>();
  for (const file of site.files) {
    const { lang, languageFolder } = file.place;
    for (const written of file.document.addresses ?? []) {
      const address = plainAddress(written);
      const names = lang === site.defaultLanguage ? [`${lang} ${address}`, address] : [`${lang} ${address}`];
      for (const name of [...names, `${languageFolder}/${address}`])
        if (!found.has(name)) found.set(name, file);
    }
  }
  return found;
}

/** Without the slashes around it, `index.html` and `.html`. */
export function plainAddress(path: string): string {
  return path.replaceAll(/^\/+|\/+$/g, '').replace(/(?:^|\/)index\.html$|\.html$/, '');
}
