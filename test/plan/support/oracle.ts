/**
 * What must become of a record, as data. It was written from the rules and not from the code: a second opinion on
 * reconcile.ts and make-plan.ts.
 */

/** A value class: which of three different values a side holds; `-`: the side does not have the field. */
export type Letter = 'A' | 'B' | 'C' | '-';

export interface FieldCase {
  readonly file: Letter;
  readonly base: Letter;
  readonly remote: Letter;
}

export interface OracleChoices {
  readonly onConflict: 'fail' | 'local' | 'remote';
  readonly onDrift: 'report' | 'overwrite' | 'acknowledge';
  readonly adopt: 'fail' | 'local' | 'remote';
}

export interface RecordCase {
  readonly hasFile: boolean;
  readonly witness: 'state' | 'stamp' | 'none';
  readonly remote: 'known' | 'listed' | 'absent' | 'taken' | 'unknown' | 'unreadable';
  /** Of the fields that the file owns, or of those the base holds when there is no file. */
  readonly fields: readonly FieldCase[];
  readonly hasOpenDraft: boolean;
  readonly prune: boolean;
  readonly choices: OracleChoices;
}

/** file base remote: what happened to one field. Other letters are renamed to these first. */
const FIELD: Readonly<Record<string, 'same' | 'ours' | 'theirs' | 'converged' | 'both' | 'unseen'>> = {
  AAA: 'same',
  BAA: 'ours',
  AAB: 'theirs',
  BAB: 'converged',
  BAC: 'both',
  // A field that the base has never seen is a new statement of the author.
  'A-A': 'converged',
  'A-B': 'ours',
  // What the service does not show is not compared; a change of it could overwrite what nobody sees.
  'AA-': 'same',
  'BA-': 'unseen',
  'A--': 'unseen',
};

/** What is done about it, by choice. */
const ACT = {
  same: () => 'nothing',
  ours: () => 'write',
  converged: () => 'learn',
  theirs: ({ onDrift }: OracleChoices) =>
    ({ report: 'tell', overwrite: 'write', acknowledge: 'keep' })[onDrift],
  both: ({ onConflict }: OracleChoices) => ({ fail: 'stop', local: 'write', remote: 'keep' })[onConflict],
  unseen: ({ onConflict }: OracleChoices) => ({ fail: 'ask', local: 'write', remote: 'keep' })[onConflict],
} as const;

/** The strongest act of a field decides for the record. */
const STRENGTH = [
  ['stop', 'conflict both-changed'],
  ['ask', 'conflict not-shown'],
  ['write', 'update'],
  ['keep', 'acknowledged'],
  ['tell', 'drift'],
  ['learn', 'learnt'],
  ['nothing', 'unchanged'],
] as const;

/** A file and a remote record that no witness joins. */
const BOTH_NEW = { fail: 'conflict both-new', local: 'update', remote: 'acknowledged' } as const;

const EDITED_AND_FILE_GONE = {
  fail: 'conflict delete-modified',
  local: 'delete',
  remote: 'forgotten',
} as const;

export function expected(row: RecordCase): string {
  const verdict = verdictOf(row);
  const isLeft = verdict === 'drift' || verdict.startsWith('conflict');
  // An editor may take the stamp away with the text, so the state remembers what it proved. What both sides have come to say
  // is remembered too, though another field of the record stays open.
  const isRemembered = row.witness === 'stamp' || (row.witness === 'state' && isAgreed(row));
  return isLeft && isRemembered ? `${verdict} and learnt` : verdict;
}

function isAgreed({ hasFile, remote, fields }: RecordCase): boolean {
  return hasFile && remote === 'known' && fields.some((field) => FIELD[renamed(field)] === 'converged');
}

function verdictOf(row: RecordCase): string {
  const { hasFile, witness, remote, fields, choices } = row;
  // A stamp is read from the record it is in, and only where a file asks for it.
  if (!hasFile && witness !== 'state') return 'nothing';
  if (!hasFile) return whenFileGone(row);
  // Somebody else's record, of another slug.
  if (remote === 'taken') {
    if (witness === 'none') return 'blocked taken';
    return choices.onConflict === 'local' ? 'create' : 'conflict replaced';
  }
  const isUnseen = remote === 'unknown' || remote === 'unreadable';
  const takesFile = witness === 'none' ? choices.adopt === 'local' : choices.onConflict === 'local';
  if (isUnseen && !(remote === 'unreadable' && takesFile)) return 'blocked unreadable';
  if (witness === 'none') {
    if (remote === 'absent') return 'create';
    if (remote === 'listed') return 'blocked unreadable';
    if (remote === 'unreadable') return 'update';
    if (fields.every(({ file, remote: theirs }) => theirs === '-' || file === theirs)) return 'learnt';
    return withDraft(BOTH_NEW[choices.adopt], row);
  }
  const isFileChanged = fields.some(({ file, base }) => file !== base);
  if (remote === 'absent') {
    if (choices.onConflict === 'local') return 'create';
    return isFileChanged ? 'conflict modified-deleted' : 'conflict remote-deleted';
  }
  if (remote !== 'known') return isFileChanged ? 'update' : 'unchanged';
  const acts: string[] = fields.map((field) => ACT[FIELD[renamed(field)] ?? 'same'](choices));
  // An edit of one field carries the others of these cases: with one that nobody can see, it is as if that one had changed.
  if (acts.includes('write') && fields.some(({ remote: theirs }) => theirs === '-')) {
    if (choices.onConflict === 'remote') return 'acknowledged';
    acts.push(ACT.unseen(choices));
  }
  const verdict = STRENGTH.find(([act]) => acts.includes(act))?.[1] ?? 'unchanged';
  return withDraft(verdict, row);
}

function whenFileGone({ remote, fields, choices, prune }: RecordCase): string {
  if (remote === 'unknown' || remote === 'unreadable') return 'kept unreadable';
  if (remote === 'absent' || remote === 'taken') return 'forgotten';
  const isEdited =
    remote === 'known' && fields.some(({ base, remote: theirs }) => base !== '-' && base !== theirs);
  const verdict = isEdited ? EDITED_AND_FILE_GONE[choices.onConflict] : 'delete';
  return verdict === 'delete' && !prune ? 'kept no-prune' : verdict;
}

/** An edit would be lost in an open draft copy, or overwrite it. */
function withDraft(verdict: string, { hasOpenDraft, choices }: RecordCase): string {
  if (verdict !== 'update' || !hasOpenDraft || choices.onConflict === 'local') return verdict;
  return choices.onConflict === 'remote' && choices.onDrift === 'acknowledge'
    ? 'acknowledged'
    : 'conflict draft-open';
}

/** The same pattern in the letters of the table: the base's value is A, then in order of appearance. */
function renamed({ file, base, remote }: FieldCase): string {
  const names = new Map<Letter, string>([['-', '-']]);
  const free = ['A', 'B', 'C'];
  for (const letter of [base, file, remote]) if (!names.has(letter)) names.set(letter, free.shift() ?? '');
  return [file, base, remote].map((letter) => names.get(letter)).join('');
}
