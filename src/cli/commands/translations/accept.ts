import { resolve } from 'node:path';
import { loadSettings, type Settings } from '../../../config/settings.ts';
import { editedFile } from '../../../content/front-matter/write.ts';
import {
  sourceCommitIn,
  sourceCommitKeyIn,
  withSourceCommit,
} from '../../../content/front-matter/source-commit.ts';
import { git } from '../../../machine/git.ts';
import type { Digest } from '../../../model/digest.ts';
import { keyIn, type Key } from '../../../model/key.ts';
import type { BaseState, DesiredRecord, DesiredState } from '../../../model/record.ts';
import { visible } from '../../../model/visible.ts';
import { addressOf } from '../../../session/access.ts';
import { openState } from '../../../session/session.ts';
import { statePlaceOf } from '../../../session/shared.ts';
import { markOfFile } from '../../../sync/translation-marks.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { screen as screenOf, type Screen } from '../../print/terminal/screen.ts';
import { chosenFrom, wantedBy } from '../../run/choice.ts';
import { EXIT } from '../../run/exit.ts';
import { readAsSynced } from '../../run/read-for-service.ts';
import type { World } from '../../world.ts';
import { lastCommits, type LastCommit } from '../status/last-commits.ts';
import { changedFiles, markersOf } from '../status/markers.ts';
import { idsOf, isIn, translationRows } from '../status/translations.ts';
import type { AcceptFlags } from './command.ts';

/** What becomes of one translation. `kept` says where; nowhere: it was up to date before, or `why` it could not be said. */
interface Accepted {
  readonly key: Key;
  readonly file: string;
  readonly original: string;
  readonly kept: readonly ('front matter' | 'state')[];
  /** The commit that the front matter names now. */
  readonly commit?: string;
  readonly why?: string;
}

/** An accepted translation with what is to be written. */
interface Draft extends Accepted {
  /** The file's new text. */
  readonly text?: string;
  /** What the state remembers of the original. */
  readonly mark?: Digest;
}

/** `kbsync translations accept KEY…`: nothing is sent; front matter and state say it from now on. */
export async function accept(names: readonly string[], flags: AcceptFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const settings = await loadSettings(flags, world);
  const { base, loaded } = await openState(
    { ...(await statePlaceOf(settings, world, 'accept')), readOnly: flags.dryRun },
    addressOf(settings),
  );
  try {
    const { content } = await readAsSynced(settings, flags, world, loaded.state);
    const drafts = await draftsOf(names, {
      desired: content.state,
      base: loaded.state,
      settings,
      flags,
      world,
    });
    if (!flags.dryRun) {
      for (const { file, text } of drafts)
        if (text !== undefined) await world.files.writeText(resolve(world.cwd, file), text);
      const marks = new Map(drafts.flatMap(({ key, mark }) => (mark === undefined ? [] : [[key, mark]])));
      if (marks.size > 0) await base.save(withMarks(loaded.state, marks));
    }
    say(screen, drafts, flags.dryRun);
    return drafts.some(({ why }) => why !== undefined) ? EXIT.refused : EXIT.done;
  } finally {
    await base.close();
  }
}

interface Known {
  readonly desired: DesiredState;
  readonly base: BaseState;
  readonly settings: Settings;
  readonly flags: AcceptFlags;
  readonly world: World;
}

async function draftsOf(names: readonly string[], known: Known): Promise<readonly Draft[]> {
  const { desired, base, settings, flags, world } = known;
  const wanted = await wantedBy({ only: [...names] }, settings, world);
  const choice = wanted === undefined ? undefined : chosenFrom(wanted, desired, base);
  const needed = new Set(choice?.needed);
  const isChosen = (key: Key): boolean => choice?.keys.has(key) === true && !needed.has(key);
  const folder = settings.contentDir;
  const markers = await markersOf(desired, folder, world);
  const commits = await lastCommits(folder, world.cwd);
  const top = (await git(['rev-parse', '--show-toplevel'], folder))?.trim();
  const edited = top === undefined ? undefined : await changedFiles('HEAD', { folder, top, cwd: world.cwd });
  const committed = (file: string): number | undefined => commits?.get(file)?.seconds;
  const rows = translationRows(desired, base, { committed, markers });
  const stale = new Set(rows.flatMap((row) => row.stale));
  const about = { ...known, commits, edited, keys: markerKeys(known) };
  const drafts: Draft[] = [];
  for (const record of desired.records.values()) {
    const original = desired.records.get(keyIn(record.family, desired.defaultLanguage));
    if (record.isOriginal || original === undefined) continue;
    if (!isChosen(record.key) || !isIn(flags.lang)(record.key)) continue;
    drafts.push(
      stale.has(record.key)
        ? await draftOf(record, original, about)
        : { key: record.key, file: record.at.file, original: original.at.file, kept: [] },
    );
  }
  return drafts;
}

interface About extends Known {
  readonly commits: ReadonlyMap<string, LastCommit> | undefined;
  /** Files that are not what HEAD has. */
  readonly edited: ReadonlySet<string> | undefined;
  readonly keys: (lang: string) => Promise<string | undefined>;
}

async function draftOf(record: DesiredRecord, original: DesiredRecord, about: About): Promise<Draft> {
  const { base, world, commits, edited } = about;
  const { file } = record.at;
  const theirs = original.at.file;
  const at = { key: record.key, file, original: theirs, kept: [] };
  const known = base.records.get(record.key);
  const isKnown = known !== undefined && base.records.has(original.key);
  const mark = isKnown
    ? markOfFile(original, base.records.get(original.key), idsOf(about.desired, base))
    : undefined;
  const inState = mark === undefined ? {} : { mark };
  const marker = await about.keys(record.lang);
  if (marker === undefined && record.sourceCommit === undefined) {
    if (mark !== undefined) return { ...at, ...inState, kept: ['state'] };
    return {
      ...at,
      why: 'no sync has sent it yet, and no translation here names a commit: write `sourceCommit:` into its front matter, or run kbsync sync first',
    };
  }
  const commit = commits?.get(theirs)?.commit;
  if (commits === undefined) return { ...at, why: await withoutHistory(theirs, about.settings.contentDir) };
  if (commit === undefined || edited?.has(theirs) !== false)
    return { ...at, why: `${theirs} is not committed as it is: commit it, then accept` };
  const text = await world.files.readText(resolve(world.cwd, file));
  const made = text === undefined ? undefined : withMarker(text, marker ?? '', commit);
  if (made === undefined)
    return { ...at, why: `its front matter cannot be edited safely: write \`${commit}\` into it` };
  return {
    ...at,
    ...inState,
    text: made,
    commit,
    kept: mark === undefined ? ['front matter'] : ['front matter', 'state'],
  };
}

/** Why nobody can say in which commit a file changed last. */
async function withoutHistory(file: string, folder: string): Promise<string> {
  const isShallow = (await git(['rev-parse', '--is-shallow-repository'], folder))?.trim();
  return isShallow === 'true'
    ? `this clone is shallow, so it does not tell which commit changed ${file} last: run git fetch --unshallow (in CI: fetch-depth: 0), then accept`
    : `git does not tell which commit changed ${file} last: accept it in a clone of the repository`;
}

function withMarker(text: string, key: string, commit: string): string | undefined {
  if (sourceCommitIn(text) !== undefined) return withSourceCommit(text, commit);
  const made = editedFile(text, [[key, commit]], undefined);
  return made !== undefined && sourceCommitIn(made) === commit ? made : undefined;
}

/** The key that translations of a language name their commit with, else that of any language. */
function markerKeys({ desired, world }: Known): About['keys'] {
  const marked = [...desired.records.values()].filter(
    ({ isOriginal, sourceCommit }) => !isOriginal && sourceCommit !== undefined,
  );
  const keys = new Map<string, Promise<string | undefined>>();
  const keyFor = async (lang: string): Promise<string | undefined> => {
    const one = marked.find((record) => record.lang === lang) ?? marked[0];
    const text = one && (await world.files.readText(resolve(world.cwd, one.at.file)));
    return text === undefined ? undefined : sourceCommitKeyIn(text);
  };
  return (lang) => {
    const key = keys.get(lang) ?? keyFor(lang);
    keys.set(lang, key);
    return key;
  };
}

function withMarks(base: BaseState, marks: ReadonlyMap<Key, Digest>): BaseState {
  const records = [...base.records].map(([key, record]) => {
    const original = marks.get(key);
    return [key, original === undefined ? record : { ...record, original }] as const;
  });
  return { ...base, records: new Map(records) };
}

function acceptedOf({ key, file, original, kept, commit, why }: Draft): Accepted {
  return {
    key,
    file,
    original,
    kept,
    ...(commit === undefined ? {} : { commit }),
    ...(why === undefined ? {} : { why }),
  };
}

function say(screen: Screen, drafts: readonly Draft[], isDry: boolean): void {
  if (screen.isJson) {
    screen.document({ format: JSON_FORMAT, dryRun: isDry, accepted: drafts.map(acceptedOf) });
    return;
  }
  for (const { key, kept, commit = '', why } of drafts) {
    const where = kept.length === 0 ? 'was up to date' : `accepted, in ${kept.join(' and ')}`;
    const named = commit === '' ? '' : ` (${commit.slice(0, 10)})`;
    const line = visible(why === undefined ? `${key}  ${where}${named}` : `${key}  not accepted: ${why}`);
    if (why === undefined) screen.answer(line);
    else screen.complain(line);
  }
  const count = drafts.filter(({ kept }) => kept.length > 0).length;
  const verb = isDry ? 'would be accepted' : 'accepted';
  screen.answer(
    `${count} of ${drafts.length} ${drafts.length === 1 ? 'translation' : 'translations'} ${verb}`,
  );
}
