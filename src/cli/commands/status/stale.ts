import { relative, resolve, sep } from 'node:path';
import pLimit from 'p-limit';
import { SetupError } from '../../../config/setup-error.ts';
import { git } from '../../../machine/git.ts';
import { keyIn, type Key } from '../../../model/key.ts';
import type { DesiredState } from '../../../model/record.ts';
import { visible } from '../../../model/visible.ts';
import { counted } from '../../print/terminal/numbers.ts';
import type { LastCommit } from './last-commits.ts';
import type { Markers } from './markers.ts';
import type { TranslationRow, Witness } from './translations.ts';

/** A translation that is behind its original. */
export interface StaleTranslation {
  readonly key: Key;
  /** Relative to the working directory. */
  readonly file: string;
  readonly original: string;
  readonly witness: Witness;
  /** The commit that the original is compared with; absent where no history tells. */
  readonly since?: string;
  /** What changed in the original since then, as git prints it; only if asked for. */
  readonly diff?: string;
}

interface StaleInput {
  readonly rows: readonly TranslationRow[];
  readonly desired: DesiredState;
  readonly markers: Markers;
  /** Of each file, by its path relative to the working directory; undefined: there is no history. */
  readonly commits: ReadonlyMap<string, LastCommit> | undefined;
  /** Absolute. */
  readonly folder: string;
  readonly cwd: string;
  /** `true`: of all. */
  readonly diff: boolean | string;
}

/** @throws SetupError for a key that is no stale translation */
export async function staleTranslations(input: StaleInput): Promise<readonly StaleTranslation[]> {
  const { rows, desired, markers, commits, diff } = input;
  const all = rows.flatMap(({ stale, witnesses }) =>
    stale.map((key) => ({ key, witness: witnesses.get(key) ?? 'none' }) as const),
  );
  const wanted = typeof diff === 'string' ? all.filter(({ key }) => key === diff) : all;
  if (typeof diff === 'string' && wanted.length === 0)
    throw new SetupError('usage', `\`${visible(diff)}\` is no stale translation`, {
      help: 'kbsync status --stale lists them',
    });
  const known = wanted.flatMap(({ key, witness }): readonly StaleTranslation[] => {
    const record = desired.records.get(key);
    const original = record && desired.records.get(keyIn(record.family, desired.defaultLanguage));
    if (record === undefined || original === undefined) return [];
    const { file } = record.at;
    // Without a word of its own, a translation was made from what its original was when it was committed last.
    const since = witness === 'commit' ? markers.commits.get(key) : commits?.get(file)?.commit;
    const about = { key, file, original: original.at.file, witness };
    return [since === undefined ? about : { ...about, since }];
  });
  if (diff === false) return known;
  const atOnce = pLimit(DIFFS_AT_ONCE);
  return Promise.all(
    known.map(async (one) => {
      const { since, original } = one;
      const text = since === undefined ? undefined : await atOnce(() => diffSince(since, original, input));
      return text === undefined ? one : { ...one, diff: text };
    }),
  );
}

const DIFFS_AT_ONCE = 8;

async function diffSince(
  commit: string,
  file: string,
  at: Pick<StaleInput, 'folder' | 'cwd'>,
): Promise<string | undefined> {
  return git(
    ['diff', '--no-color', '--no-ext-diff', `${commit}^{commit}`, '--', inFolder(file, at)],
    at.folder,
  );
}

function inFolder(file: string, { folder, cwd }: Pick<StaleInput, 'folder' | 'cwd'>): string {
  return relative(folder, resolve(cwd, file)).split(sep).join('/');
}

export function staleLines(
  stale: readonly StaleTranslation[],
  rows: readonly TranslationRow[],
): readonly string[] {
  const placed = rows.reduce((sum, { upToDate, stale: behind }) => sum + upToDate.length + behind.length, 0);
  return [
    ...stale.flatMap((one) => [
      visible(`${one.key}  ${one.file}  ${knownBy(one)}`),
      ...(one.diff === undefined
        ? []
        : one.diff
            .trimEnd()
            .split('\n')
            .map((line) => `    ${visible(line)}`)),
    ]),
    `${stale.length} of ${counted(placed, 'translation')} ${stale.length === 1 ? 'is' : 'are'} stale`,
  ];
}

/** How it is known that a translation is stale. */
export function knownBy({ witness, since = '' }: StaleTranslation): string {
  if (witness === 'commit') return `made from ${since.slice(0, 10)}`;
  return witness === 'state' ? 'by the last sync' : 'by commit times only';
}

/** What the rows rest on, where that is less than a translation's own word or the last sync. */
export function witnessLines(
  rows: readonly TranslationRow[],
  { commits, isChanged }: Markers,
): readonly string[] {
  const byTime = rows
    .flatMap(({ witnesses }) => [...witnesses.values()])
    .filter((witness) => witness === 'time');
  const lost = [...commits.values()].filter((commit) => isChanged(commit, '') === undefined);
  return [
    ...(byTime.length === 0
      ? []
      : [
          `  ${counted(byTime.length, 'translation')} judged by commit times only: \`sourceCommit\` in front matter says it exactly`,
        ]),
    ...(lost.length === 0
      ? []
      : [
          `  ${counted(lost.length, 'translation')} ${lost.length === 1 ? 'names' : 'name'} a commit that this clone does not have`,
        ]),
  ];
}
