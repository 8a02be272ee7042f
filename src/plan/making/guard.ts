import { KINDS, kindOf, langOf } from '../../model/key.ts';
import type { Lang } from '../../model/key.ts';
import { sameTongue } from '../../model/language.ts';
import { isOlder, revisionText } from '../../model/revision.ts';
import type { Blocked, Change, Refusal } from '../plan.ts';
import type { Misplaced, PlanInput } from '../plan-input.ts';

export interface GuardInput extends Pick<
  PlanInput,
  | 'desired'
  | 'base'
  | 'prune'
  | 'languages'
  | 'doubts'
  | 'checkout'
  | 'maxDelete'
  | 'allow'
  | 'lists'
  | 'originals'
  | 'misplaced'
> {
  readonly changes: readonly Change[];
  readonly blocked: readonly Blocked[];
  /** Managed records whose file is gone, among those that the run was asked for. */
  readonly gone: number;
  /** Ids of managed originals, and how many of them the service still shows. */
  readonly knownIds: number;
  readonly knownIdsSeen: number;
}

const SMALL = 10;

/** Reasons to write nothing at all. Each names the numbers and the exact flag that lifts it. */
export function refusals(input: GuardInput): readonly Refusal[] {
  return [
    vanished(input),
    checkoutIncomplete(input),
    checkoutOlder(input),
    scopeChanged(input),
    remoteLooksWrong(input),
    otherOriginals(input),
    incomplete(input),
    tooManyDeletes(input),
    protectedChanged(input),
  ].filter((refusal) => refusal !== undefined);
}

function vanished(input: GuardInput): Refusal | undefined {
  const { desired, gone, prune, allow } = input;
  const managed = managedIn(input);
  if (managed === 0 || allow.has('vanished')) return undefined;
  const isEmpty = desired.records.size === 0;
  if (!isEmpty && !(prune && managed >= SMALL && gone * 2 > managed)) return undefined;
  return {
    code: 'files-vanished',
    message: isEmpty
      ? `the content folder holds no records, but the last sync left ${managed} on the service; is this the right folder and a full checkout?`
      : `the files of ${gone} of ${managed} managed records are gone; is this the right folder and a full checkout?`,
    flag: '--allow-vanished',
  };
}

/** A language is measured by itself: all of one may be a small part of the whole. */
function managedIn({ base, languages }: GuardInput): number {
  if (languages === undefined) return base.records.size;
  return [...base.records.keys()].filter((key) => languages.includes(langOf(key))).length;
}

function checkoutIncomplete({ gone, prune, doubts = [], allow }: GuardInput): Refusal | undefined {
  if (!prune || gone === 0 || doubts.length === 0 || allow.has('checkout')) return undefined;
  return {
    code: 'checkout-incomplete',
    message: `${gone} managed ${gone === 1 ? 'record has' : 'records have'} no file, and the checkout may be incomplete: ${doubts.join('; ')}`,
    flag: '--allow-checkout',
  };
}

/** What a newer commit sent would be taken back. Files that say the same in both do no harm. */
function checkoutOlder({ checkout, changes, allow }: GuardInput): Refusal | undefined {
  if (checkout === undefined || changes.length === 0 || allow.has('older-commit')) return undefined;
  const { own, known } = checkout;
  if (own === undefined || known === undefined || !isOlder(checkout)) return undefined;
  const isSure = checkout.relation === 'before';
  const how = isSure
    ? 'a later commit, so this run would take back what changed since'
    : 'which this clone does not hold and whose date is later; this run may take back what changed since';
  return {
    code: 'older-commit',
    message: `this checkout is at ${revisionText(own)}, and the last sync was made from ${revisionText(known)}, ${how}; ${
      isSure ? 'run git pull' : 'run git pull, or fetch the whole history (fetch-depth: 0)'
    }`,
    flag: '--allow-older-commit',
  };
}

function scopeChanged({ desired, base, gone, prune, allow }: GuardInput): Refusal | undefined {
  if (!prune || gone === 0 || allow.has('scope-change')) return undefined;
  if (base.scopeDigest === undefined || base.scopeDigest === desired.scopeDigest) return undefined;
  return {
    code: 'scope-changed',
    message: `the layout, filters or languages in the config changed since the last sync and ${gone} records have no file now; deleting them may not be what you want`,
    flag: '--allow-scope-change',
  };
}

function remoteLooksWrong({ lists, knownIds, knownIdsSeen, allow }: GuardInput): Refusal | undefined {
  if (allow.has('empty-remote') || knownIds === 0) return undefined;
  const listed = KINDS.reduce((sum, kind) => sum + lists[kind].count, 0);
  if (listed === 0) {
    return {
      code: 'remote-empty',
      message: `the service shows no record at all, but the last sync left ${knownIds} there; is this the right knowledge base and key?`,
      flag: '--allow-empty-remote',
    };
  }
  if (knownIds < 5 || knownIdsSeen * 2 >= knownIds) return undefined;
  return {
    code: 'wrong-remote',
    message: `the service shows only ${knownIdsSeen} of the ${knownIds} records of the last sync; is this the right knowledge base and key?`,
    flag: '--allow-empty-remote',
  };
}

/** Readers would find each page under a language that it is not in. Nobody is asked for a flag: one of the two settings is wrong. */
function otherOriginals({ desired, originals, misplaced, changes }: GuardInput): Refusal | undefined {
  const { defaultLanguage } = desired;
  if (misplaced !== undefined && changes.length > 0)
    return { code: 'other-originals', message: misplacedWords(misplaced, defaultLanguage) };
  if (originals === undefined || changes.length === 0 || sameTongue(originals, defaultLanguage))
    return undefined;
  return {
    code: 'other-originals',
    message: `the service says that its originals are in ${originals}, and the default language here is ${defaultLanguage}; if the originals of the files are in ${originals}, write \`defaultLanguage: ${originals}\` into kbsync.yaml, else this is another knowledge base, or it was started with other languages`,
  };
}

/** Of the only original so far, which a first sync has made. */
export function misplacedWords({ key, lang }: Misplaced, ours: Lang): string {
  return `the service keeps ${key} in ${lang}, and the default language here is ${ours}; take this record back with \`kbsync undo --prune\`, or delete it on the site; then, if the originals of the files are in ${lang}, write \`defaultLanguage: ${lang}\` into kbsync.yaml, else give the knowledge base ${ours} as its default language`;
}

/** A fresh clone that cannot see the whole knowledge base would create what is there already. */
function incomplete({ base, lists, blocked, allow }: GuardInput): Refusal | undefined {
  if (base.records.size > 0 || allow.has('incomplete-list')) return undefined;
  const waits = blocked.filter(
    ({ reason, key }) => reason === 'list-incomplete' && !lists[kindOf(key)].complete,
  );
  const cut = KINDS.find((kind) => waits.some(({ key }) => kindOf(key) === kind));
  if (cut === undefined) return undefined;
  // Categories and tags have no other witness: no list shows more of them than their own.
  const ways = `restore the state file of the last sync, ${cut === 'article' ? 'give every article a tag so kbsync can find it, ' : ''}or confirm that the list is complete`;
  const { why, isUnread = false } = lists[cut];
  if (isUnread)
    return {
      code: 'list-incomplete',
      message: `${why}; without a state file, kbsync cannot tell whether that ${cut} belongs to one of the files, and could create it twice. Run again; if the record still cannot be read, look at it on the site`,
      flag: '--assume-complete',
    };
  return {
    code: 'list-incomplete',
    message: `the ${cut} list may be truncated (${why ?? `${lists[cut].count} items`}) and there is no state file, so existing records could be created twice; ${ways}`,
    flag: '--assume-complete',
  };
}

function tooManyDeletes(input: GuardInput): Refusal | undefined {
  const { changes, maxDelete } = input;
  const deletes = changes.filter(({ action }) => action === 'delete').length;
  const managed = managedIn(input);
  const limit = maxDelete ?? Math.max(SMALL, Math.floor(managed / 5));
  if (deletes <= limit) return undefined;
  return {
    code: 'too-many-deletes',
    message: `${deletes} of ${managed} managed records would be deleted; the limit is ${limit}`,
    flag: `--max-delete ${deletes}`,
  };
}

/** Nobody is asked for a flag: both files are the author's, and one of them has to change. */
function protectedChanged({ blocked }: GuardInput): Refusal | undefined {
  const keys = blocked.flatMap(({ key, reason }) => (reason === 'protected' ? [key] : []));
  if (keys.length === 0) return undefined;
  const listed = keys.slice(0, 3).join(', ');
  const rest = keys.length - 3;
  return {
    code: 'protected',
    message: `${listed}${rest > 0 ? ` and ${rest} more` : ''}: \`protect\` in kbsync.yaml keeps slugs, and keeps published records published; each record names what its file would change`,
  };
}
