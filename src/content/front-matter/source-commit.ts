/** At the beginning of the file alone: a page may show front matter. */
const FRONT_MATTER = /(?<![\s\S])\uFEFF?\s*(---|\+\+\+)[^\S\n]*\n([\s\S]*?)^\1[^\S\n]*$/m;
const COMMIT = String.raw`["']?([0-9a-f]{7,64})["']?(?=[^\S\n]*(?:[},#\n]|$))`;
/** Names in use: kbsync's own, Docusaurus repositories', OpenTelemetry's and Helm's; MDN writes `l10n: { sourceCommit: … }`. */
const NAMED = new RegExp(
  String.raw`^(?:sourceCommit|source_commit|default_lang_commit)[^\S\n]*[:=][^\S\n]*${COMMIT}`,
  'm',
);
const INSIDE = new RegExp(
  String.raw`^(?:l10n:|\[l10n\])[^\S\n]*(?:\{[^}\n]*?|\n(?:[^\S\n][^\n]*\n)*?[^\S\n]*)\bsourceCommit[^\S\n]*[:=][^\S\n]*${COMMIT}`,
  'm',
);

/** Keys of front matter that hold such a commit, or hold the key that does. */
export const SOURCE_COMMIT_KEYS = ['sourceCommit', 'source_commit', 'default_lang_commit', 'l10n'] as const;

/**
 * The commit of the original that a translation says it was made from: 7 to 64 hexadecimal digits. Read as text, because a
 * parser takes some commits for numbers (`1234567`, `12e4567`).
 */
export function sourceCommitIn(text: string): string | undefined {
  const matter = FRONT_MATTER.exec(text.replaceAll('\r\n', '\n'))?.[2];
  if (matter === undefined) return undefined;
  return (NAMED.exec(matter) ?? INSIDE.exec(matter))?.[1];
}

/** The key that says it: `sourceCommit`, or `l10n.sourceCommit` for one inside of another. */
export function sourceCommitKeyIn(text: string): string | undefined {
  const matter = FRONT_MATTER.exec(text.replaceAll('\r\n', '\n'))?.[2];
  if (matter === undefined) return undefined;
  const named = NAMED.exec(matter)?.[0];
  if (named !== undefined) return /^\w+/.exec(named)?.[0];
  return INSIDE.test(matter) ? 'l10n.sourceCommit' : undefined;
}

/** The same text with another commit in its place; undefined where it names none. */
export function withSourceCommit(text: string, commit: string): string | undefined {
  const old = sourceCommitIn(text);
  if (old === undefined) return undefined;
  const lines = text.split('\n');
  const at = lines.findIndex((line) => KEY.test(line) && line.includes(old));
  const line = lines[at];
  if (line === undefined) return undefined;
  const behind = line.search(KEY);
  lines[at] = `${line.slice(0, behind)}${line.slice(behind).replace(old, commit)}`;
  const made = lines.join('\n');
  return sourceCommitIn(made) === commit ? made : undefined;
}

const KEY = /\b(?:sourceCommit|source_commit|default_lang_commit)\b/;
