import { familyOf, keyIn, langOf } from '../../src/model/key.ts';
import type { Key } from '../../src/model/key.ts';
import type { DesiredState, KnownRecord } from '../../src/model/record.ts';
import { withoutMark } from '../../src/plan/slug-mark.ts';
import type { SyncPolicy } from '../../src/sync/report.ts';
import { EDITOR } from './editor.ts';
import {
  bodyTextOf,
  isVisible,
  lookKey,
  sayingOf,
  sayingOfDesired,
  stampKeyOf,
  uidOf,
  uidOfDesired,
  versionOf,
} from './row-text.ts';
import type { Look, Row, SimService, Written } from './service.ts';

/** What the model knows of the run that is under way. */
export interface RunContext {
  readonly process: string;
  readonly machine: string;
  readonly policy: SyncPolicy;
  readonly desired: DesiredState;
  /** Whether somebody else wrote while it ran. */
  isDisturbed: boolean;
  deletes: number;
  /** Records in the state when the run began, and those of them without a file. */
  managed: number;
  gone: number;
  /** Whether the state that the run began with holds this text; another machine may have written it (8.6). */
  readonly remembers: (text: string) => boolean;
  /** The keys under which the state has a record now. */
  readonly keysOf: (kind: string, id: string) => readonly Key[];
  /** The records whose files were saved; undefined: the run was about all. */
  readonly looked?: ReadonlySet<Key> | undefined;
  /** Records of the state that kbsync.yaml protects, as `id lang`. */
  readonly guarded: ReadonlySet<string>;
  /** Whether references were refused by the service. */
  editorDeleted: boolean;
}

/**
 * What must hold whatever happens (reliability.md 6.2). It watches every write from the service's side, knows what
 * was shown to kbsync and what the files ever said, and collects violations.
 */
export interface Model {
  readonly violations: string[];
  /** Edits that landed between a read of the last two seconds and the write: not to be closed without If-Match. */
  readonly races: () => number;
  readonly hidden: ReadonlySet<string>;
  /** Whether kbsync ever made a record from this file. */
  readonly wasMade: (uid: string) => boolean;
  /** Whether a record made from this file was edited where no list shows it. */
  readonly isHidden: (uid: string) => boolean;
  /** Whether a machine other than this run's wrote this record, ever; `unseen`: wrote it last, where no list shows it. */
  readonly isWrittenElsewhere: (id: string, how?: 'unseen') => boolean;
  begin(run: RunContext): void;
  readonly wrote: (written: Written) => void;
  readonly shown: (look: Look, by: string) => void;
  /** The looks of the request that was just carried out, and their arrival at the client. */
  readonly takeLooks: () => readonly Look[];
  readonly received: (looks: readonly Look[]) => void;
  trashed(record: KnownRecord): void;
  readonly trash: readonly KnownRecord[];
  readonly deleted: readonly Row[];
  /** Whether any run was told to let the service's values stand. */
  readonly isLenient: () => boolean;
  /** Whether anybody but kbsync ever wrote. */
  readonly hasEditor: () => boolean;
  readonly listed: (kind: string, by: string) => void;
}

/** A read that is at most this old may be written upon (apply-edit). */
const READ_AGE_MAX_MS = 2000;

export function createModel(
  service: () => SimService,
  clock: { readonly now: () => number; readonly sentMs: () => number },
): Model {
  const violations: string[] = [];
  const known = new Set<string>();
  /** The file that a row was made from; an editor may have changed its text since. */
  const madeFrom = new Map<
    string,
    {
      readonly uid: string;
      readonly slug: string;
      readonly machine: string;
      readonly key: string | undefined;
    }
  >();
  /** The file whose text kbsync wrote to a row last. */
  const writtenFrom = new Map<string, string>();
  /** The machines that wrote a row, and the one that did so last where no list shows it. */
  const machinesOf = new Map<string, { readonly all: Set<string>; readonly unseen: string | undefined }>();
  const listedMs = new Map<string, number>();
  const looks: Look[] = [];
  let hasEditor = false;
  const lastLookMs = new Map<string, number>();
  const hidden = new Set<string>();
  const everDesired = new Set<string>();
  const trash: KnownRecord[] = [];
  const deleted: Row[] = [];
  let run: RunContext | undefined;
  let races = 0;
  let isLenient = false;

  const violate = (invariant: string, what: string): void => {
    violations.push(`${invariant}: ${what}`);
  };

  const onCreate = (row: Row): void => {
    const uid = uidOf(row);
    const doubles = service()
      .originals(row.kind)
      .filter(
        (other) =>
          other.id !== row.id &&
          madeFrom.get(other.id)?.uid === uid &&
          isStill(other, uid) &&
          isRecognisable(other, row),
      );
    if (doubles.length > 0)
      violate('I1', `${row.kind} ${uid} was made twice: ${doubles[0]?.id} and ${row.id}`);
    const of = [...(run?.desired.records.values() ?? [])].find((record) => uidOfDesired(record) === uid);
    const slug = String(row.fields['slug']);
    madeFrom.set(row.id, { uid, slug, machine: run?.machine ?? '', key: of?.key });
  };
  /** Another file may have come to its path since, and with that to its record. */
  const isStill = (row: Row, uid: string): boolean =>
    (row.author === EDITOR || uidOf(row) === uid) && !isOfAnother(row, uid);
  /**
   * Its file was renamed and another one came to the old path, which a conflict keeps from being written, or says that it had it: who
   * gives two pages each other's names first cannot be told from who copied the text.
   */
  const isOfAnother = (row: Row, uid: string): boolean =>
    [...(run?.desired.records.values() ?? [])].some(
      (record) =>
        uidOfDesired(record) !== uid &&
        // The key of a stamp, which a run wrote, or of the state.
        ([stampKeyOf(row), madeFrom.get(row.id)?.key, ...(run?.keysOf(row.kind, row.id) ?? [])].some(
          (key) => key !== undefined && record.key === nowOf(key as Key),
        ) ||
          (record.isOriginal && record.kind === row.kind && record.fields['slug'] === row.fields['slug'])),
    );
  const nowOf = (key: Key): Key =>
    keyIn(run?.desired.moved?.get(familyOf(key)) ?? familyOf(key), langOf(key));
  /**
   * By its slug, or by the key of its stamp; at home, where the state says what it was made from, a file that was moved
   * is known by its text too, unless another machine wrote that. A file that was moved, rewritten and given another
   * slug is another file.
   */
  const isRecognisable = (row: Row, twin: Row): boolean => {
    const made = madeFrom.get(row.id);
    const key = stampKeyOf(twin);
    const isHome = made?.machine === run?.machine && stampKeyOf(row) !== undefined;
    const text = bodyTextOf(row);
    if (isHome && text === bodyTextOf(twin) && run?.remembers(text) === true) return true;
    return row.fields['slug'] === twin.fields['slug'] || (key !== undefined && stampKeyOf(row) === key);
  };

  const onOverwrite = (before: Row, ifMatch: boolean): void => {
    if (before.author !== EDITOR || known.has(versionOf(before))) return;
    const look = Math.max(
      lastLookMs.get(lookKey(before.parent ?? before.id, before.lang ?? 'en')) ?? 0,
      // The list shows which languages a record has.
      before.parent === null ? 0 : (listedMs.get(before.kind) ?? 0),
    );
    const isFresh = clock.sentMs() - look <= READ_AGE_MAX_MS;
    if (isFresh && !ifMatch) races += 1;
    else
      violate(
        'I3',
        `${before.kind} ${before.id} v${before.version} was overwritten unread (read ${clock.now() - look} ms ago)`,
      );
  };

  const onDelete = (row: Row, { ifMatch, isCascade }: Written): void => {
    deleted.push(row);
    if (run === undefined) return;
    if (isCascade === true && row.author === EDITOR && run.isDisturbed) {
      races += 1; // made after the list that showed no translation: the service takes it along
      return;
    }
    run.deletes += 1;
    if (!run.policy.prune) violate('I4', `${row.kind} ${row.id} was deleted without --prune`);
    onOverwrite(row, ifMatch);
    if (!trash.some(({ ownId }) => ownId === row.id)) violate('I5', `${row.kind} ${row.id} has no pre-image`);
    const uid = uidOf(row);
    // Or the record that the file was written to last, whatever an editor has made of it since.
    const twin = [...service().rows.values()].some(
      (other) => other.id !== row.id && (uidOf(other) === uid || writtenFrom.get(other.id) === uid),
    );
    const isWanted = [...run.desired.records.values()].some(
      (record) =>
        uid !== '' &&
        record.lang === (row.lang ?? 'en') &&
        record.kind === row.kind &&
        uidOfDesired(record) === uid,
    );
    // Whoever lets the service's side stand may let go of the file's text.
    if (isWanted && !twin && !isLenient)
      violate('I4', `${row.kind} ${row.id} was deleted though a file says ${uid}`);
    const isOurs = known.has(versionOf(row)) || row.author !== EDITOR;
    if (isOurs && !isLenient && !everDesired.has(sayingOf(row)))
      violate('I4', `${row.kind} ${row.id} was deleted though no file ever said so: ${sayingOf(row)}`);
  };

  /** Nothing takes a protected record from its readers, but a slug may step aside for a moment. */
  const onGuarded = (before: Row, after: Row | undefined): void => {
    const name = lookKey(before.parent ?? before.id, before.lang ?? 'en');
    if (run === undefined || !run.guarded.has(name)) return;
    // An edit between our read and our write is a race, or an overwrite: both are counted there.
    if (before.author === EDITOR && !known.has(versionOf(before))) return;
    if ([...(machinesOf.get(before.id)?.all ?? [])].some((machine) => machine !== run?.machine)) return;
    if (after === undefined) violate('I4', `${before.kind} ${before.id} was deleted though it is protected`);
    const slugs = [before.fields['slug'], after?.fields['slug']].map((slug) => withoutMark(String(slug)));
    if (after !== undefined && slugs[0] !== slugs[1])
      violate('I4', `${before.kind} ${before.id} is protected, and its slug ${slugs[0]} became ${slugs[1]}`);
  };

  const noteMachine = ({ before, after }: Written): void => {
    if (run === undefined || after === undefined) return;
    const { machine } = run;
    const { all = new Set<string>(), unseen } = machinesOf.get(after.id) ?? {};
    // A machine that writes twice may bring back the very entry that the list had before.
    const isUnseen =
      before !== undefined && (!isVisible(before, after) || hidden.has(after.id) || unseen === machine);
    machinesOf.set(after.id, { all: all.add(machine), unseen: isUnseen ? machine : undefined });
  };

  return {
    violations,
    races: () => races,
    hidden,
    wasMade: (uid) => [...madeFrom.values()].some((made) => made.uid === uid),
    isHidden: (uid) => [...hidden].some((id) => madeFrom.get(id)?.uid === uid),
    isWrittenElsewhere: (id, how) => {
      const { all = new Set<string>(), unseen } = machinesOf.get(id) ?? {};
      if (how === 'unseen') return unseen !== undefined && unseen !== run?.machine;
      return [...all].some((machine) => machine !== run?.machine);
    },
    trash,
    deleted,
    isLenient: () => isLenient,
    hasEditor: () => hasEditor,
    listed: (kind, by) => {
      if (by !== EDITOR) listedMs.set(kind, clock.now());
    },
    begin: (context) => {
      run = context;
      const { onConflict, adopt } = context.policy;
      if (onConflict !== 'fail' || adopt === 'remote') isLenient = true;
      for (const record of context.desired.records.values()) everDesired.add(sayingOfDesired(record));
    },
    wrote: (written) => {
      const { by, action, before, after, ifMatch } = written;
      if (by === EDITOR) {
        hasEditor = true;
        if (run !== undefined) run.isDisturbed = true;
        if (action === 'delete' && run !== undefined) run.editorDeleted = true;
        if (action === 'edit' && after !== undefined && !isVisible(before, after)) hidden.add(after.id);
        return;
      }
      noteMachine(written);
      if (action === 'create' && after !== undefined) onCreate(after);
      if (before !== undefined) onGuarded(before, after);
      if (action === 'edit' && before !== undefined) onOverwrite(before, ifMatch);
      if (action === 'delete' && before !== undefined) onDelete(before, written);
      if (after !== undefined) {
        hidden.delete(after.id);
        known.add(versionOf(after));
        // A write of other fields leaves standing what an editor made of the text.
        if (uidOf(after) !== '') writtenFrom.set(after.id, uidOf(after));
        if (JSON.stringify(after.fields).includes('new:'))
          violate('I13', `${after.kind} ${after.id} names a record to come`);
      }
    },
    shown: ({ originalId, lang, row }, by) => {
      if (by === EDITOR) return;
      looks.push({ originalId, lang, row });
      if (row === undefined) return;
      known.add(versionOf(row));
    },
    takeLooks: () => looks.splice(0),
    received: (arrived) => {
      for (const { originalId, lang } of arrived) lastLookMs.set(lookKey(originalId, lang), clock.now());
    },
    trashed: (record) => {
      trash.push(record);
    },
  };
}
