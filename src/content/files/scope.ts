import micromatch from 'micromatch';

/** Which files of the content folder count: `include:` and `exclude:` of kbsync.yaml, globs from the content folder. */
export interface Scope {
  /** Pages that match one of these; empty: all. Files that are no pages always count. */
  readonly include: readonly string[];
  /** Nothing below these is looked at. */
  readonly exclude: readonly string[];
}

export const WHOLE_FOLDER: Scope = { include: [], exclude: [] };

/** `include` is about pages: pictures and navigations stay, or every picture would be missing. */
const NO_PAGE =
  '**/!(*.md|*.mdx|*.mdoc|*.markdown|*.MD|*.MDX|*.MARKDOWN|*.mdown|*.mkd|*.mkdn|*.mkdown|*.qmd|*.Rmd|*.rmd)';

/** The globs that fast-glob lists a folder with. */
export function globsOf({ include, exclude }: Scope): {
  readonly patterns: string[];
  readonly ignore: string[];
} {
  return {
    patterns: include.length === 0 ? ['**'] : [...include.flatMap(spellings), NO_PAGE],
    // What matches a folder means all that is in it.
    ignore: exclude
      .flatMap(spellings)
      .flatMap((glob) => (glob.endsWith('**') ? [glob] : [glob, `${glob}/**`])),
  };
}

/** Whether a file of this path counts; the same answer as that of a listing. */
export function scopeOf(scope: Scope): (path: string) => boolean {
  if (scope.include.length + scope.exclude.length === 0) return () => true;
  const { patterns, ignore } = globsOf(scope);
  const options = { dot: true };
  const isIn = patterns.map((pattern) => micromatch.matcher(pattern, options));
  const isOut = ignore.map((pattern) => micromatch.matcher(pattern, options));
  return (path) => isIn.some((matches) => matches(path)) && !isOut.some((matches) => matches(path));
}

/** `./a/` and `a` mean the folder; a disk may spell a letter with its accent as one character or as two. */
function spellings(glob: string): readonly string[] {
  const plain = glob.replace(/^(?:\.\/)+/, '');
  const inside = plain.endsWith('/') ? `${plain}**` : plain;
  return [...new Set([inside, inside.normalize('NFC'), inside.normalize('NFD')])];
}
