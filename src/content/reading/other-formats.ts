import type { PresetName } from '../presets/names.ts';

/** Documentation in a format that kbsync does not read. */
export interface OtherFormat {
  readonly format: string;
  readonly files: number;
}

/** By the names that the tools of each format ask for. */
const FORMATS: readonly (readonly [format: string, name: RegExp])[] = [
  ['AsciiDoc', /\.(?:adoc|asciidoc)$/i],
  ['reStructuredText', /\.rst$/i],
  ['Quarto', /\.qmd$/i],
  ['R Markdown', /\.rmd$/i],
  ['Jupyter notebooks', /\.ipynb$/i],
  ['Lektor', /(?:^|\/)contents(?:\+[\w-]+)?\.lr$/],
  ['Org', /\.org$/i],
  ['MediaWiki', /\.mediawiki$/i],
  ['Textile', /\.textile$/i],
];
/** Sources of Quarto and bookdown. */
const PANDOC = /\.(?:qmd|rmd)$/i;
/** What a repository says about itself in any format. */
const ABOUT = /(?:^|\/)(?:readme|changelog|changes|history|news|authors|contributing|license)\.\w+$/i;

/** How many files of each format there are, most first. `isRead`: the layout reads files with such ends. */
export function otherFormats(
  paths: readonly string[],
  isRead: (path: string) => boolean = () => false,
): readonly OtherFormat[] {
  const written = paths.filter((path) => !ABOUT.test(path) && !isRead(path));
  return FORMATS.map(([format, name]) => ({
    format,
    files: written.filter((path) => name.test(path)).length,
  }))
    .filter(({ files }) => files > 0)
    .sort((a, b) => b.files - a.files);
}

/** Formats besides Markdown that a layout reads. */
export function readsAlso(preset: PresetName): (path: string) => boolean {
  return (path) => (preset === 'quarto' || preset === 'bookdown') && PANDOC.test(path);
}
