import type { ContentEditing, LoadedContent } from '../../../content/options.ts';
import { areInOrder, isPlace } from '../../../content/navigations/order.ts';
import { OF_ORDER } from '../../../model/fields.ts';
import { areSame, pageNodes } from '../../../content/splicing/page-parts.ts';
import type { PageOptions } from '../../../content/splicing/page-parts.ts';
import { same } from '../../../model/digest.ts';
import { bodyFieldOf } from '../../../model/fields.ts';
import type { Fields } from '../../../model/fields.ts';
import { familyOf, kindOf } from '../../../model/key.ts';
import type { Key } from '../../../model/key.ts';
import type { DesiredRecord } from '../../../model/record.ts';
import { ownedFields } from '../../../plan/compare.ts';
import { draftsOf } from './proposal.ts';
import type { Proposal } from './proposal.ts';
import type { Fetched } from '../reading/read-records.ts';

export interface AcceptInput {
  readonly editing: ContentEditing;
  readonly before: LoadedContent;
  readonly idOf: (family: DesiredRecord['family']) => string;
  /** What the service shows under a key. */
  readonly shown: (key: Key) => Fetched | undefined;
  /** The text that the file of a proposal has to show. */
  readonly bodyOf: (proposal: Proposal) => string;
  readonly pageOf: (record: Fetched, file: string) => PageOptions;
}

export interface Accepted {
  readonly proposals: readonly Proposal[];
  readonly refused: ReadonlyMap<Proposal, string>;
  /** New pages that may be written if no navigation names them. */
  readonly unentered: ReadonlyMap<Proposal, Proposal>;
  /** Records that the files make then and did not make before. */
  readonly made: ReadonlySet<Key>;
}

/**
 * The proposals that may be written: the whole folder is read as if they were, and each record must then say what the site
 * shows, while no other record comes, goes (but tags that no page names any more) or says something else. Where the folder as a whole is not right, halves are
 * tried: one file does not keep back all others.
 */
export function acceptedOf(proposals: readonly Proposal[], input: AcceptInput): Accepted {
  const refused = new Map<Proposal, string>();
  const first = chosenOf(proposals, [], input, refused);
  const bare = new Map(
    [...refused.keys()].flatMap((proposal) =>
      proposal.entry === undefined ? [] : [[{ ...proposal, entry: undefined }, proposal] as const],
    ),
  );
  const second = chosenOf([...bare.keys()], first, input, new Map());
  const unentered = new Map(
    [...bare].flatMap(([plain, proposal]) => (second.includes(plain) ? [[proposal, plain] as const] : [])),
  );
  for (const proposal of unentered.keys()) refused.delete(proposal);
  const chosen = [...first, ...second];
  const after = input.editing.readWith(draftsOf(chosen, input.editing)).state.records;
  const { records, withheld } = input.before.state;
  const made = new Set([...after.keys()].filter((key) => !records.has(key) && withheld?.has(key) !== true));
  return { proposals: chosen, refused, unentered, made };
}

function chosenOf(
  proposals: readonly Proposal[],
  settled: readonly Proposal[],
  input: AcceptInput,
  refused: Map<Proposal, string>,
): readonly Proposal[] {
  let left = proposals;
  while (left.length > 0) {
    const faults = faultsOf([...settled, ...left], input);
    const wrong = left.filter((proposal) => faults.own.has(proposal));
    if (wrong.length === 0 && faults.others === undefined) return left;
    if (wrong.length > 0) {
      for (const proposal of wrong) refused.set(proposal, faults.own.get(proposal) ?? '');
      left = left.filter((proposal) => !faults.own.has(proposal));
      continue;
    }
    const [only] = left;
    if (left.length === 1 && only !== undefined) {
      refused.set(only, faults.others ?? '');
      return [];
    }
    const middle = left.length >> 1;
    const first = chosenOf(left.slice(0, middle), settled, input, refused);
    const second = chosenOf(left.slice(middle), [...settled, ...first], input, refused);
    return [...first, ...second];
  }
  return [];
}

interface Faults {
  readonly own: ReadonlyMap<Proposal, string>;
  /** What would become of records that nobody meant. */
  readonly others: string | undefined;
}

function faultsOf(proposals: readonly Proposal[], input: AcceptInput): Faults {
  const { editing, before, idOf, shown } = input;
  const after = editing.readWith(draftsOf(proposals, editing));
  const own = new Map<Proposal, string>();
  const byKey = new Map<Key, Proposal>(proposals.map((proposal) => [proposal.key, proposal]));
  const newErrors = new Map<string, string>();
  const known = new Set(before.problems.map(({ code, at }) => `${code} ${at.file}`));
  for (const { code, at, severity } of after.problems)
    if (severity === 'error' && !known.has(`${code} ${at.file}`)) newErrors.set(at.file, code);
  // An entry in a navigation moves those after it on.
  const mayShift = proposals.some(({ entry }) => entry !== undefined);
  for (const proposal of proposals) {
    const record = after.state.records.get(proposal.key);
    const inherited = inheritedBy(proposal, proposals);
    const around = { newErrors, mayShift, inherited };
    const why = record === undefined ? NO_RECORD : wrongIn(proposal, record, input, around);
    if (why !== undefined) own.set(proposal, why);
  }
  if (own.size > 0) return { own, others: undefined };
  for (const [key, record] of before.state.records) {
    if (byKey.has(key)) continue;
    const now = after.state.records.get(key);
    if (now === undefined && isLastUse(key, proposals, editing)) continue;
    if (now === undefined) return { own, others: `with it in its place, ${key} would be gone` };
    // A translation that is silent says what its original says.
    const isBeside = proposals.some((proposal) => familyOf(proposal.key) === record.family);
    if (!isBeside && !sameFields(record.fields, now.fields, mayShift))
      return { own, others: `with it in its place, ${key} would say something else` };
  }
  if (mayShift && !areInOrder(before.state.records, after.state.records))
    return { own, others: 'its entry in the navigation would change the order of other pages' };
  for (const [key, record] of after.state.records) {
    if (byKey.has(key) || before.state.records.has(key) || before.state.withheld?.has(key) === true) continue;
    const there = shown(key);
    const owned = ownedFields(record, idOf);
    const isThere =
      there !== undefined &&
      Object.entries(owned).every(([name, value]) => {
        const theirs = there.fields[name];
        return theirs === undefined || same(value, theirs);
      });
    if (!isThere) return { own, others: `it would make ${key} with values that the site does not have` };
  }
  return { own, others: undefined };
}

/** The editor took a tag from the last page that names it. It stays on the site, as if an author had done that: deletes need --prune. */
function isLastUse(key: Key, proposals: readonly Proposal[], editing: ContentEditing): boolean {
  const isNamedAlone = kindOf(key) === 'tag' && editing.fileOf(key) === undefined;
  return isNamedAlone && proposals.some(({ fields }) => fields.includes('tags'));
}

interface Around {
  /** The files that would have errors, with their codes. */
  readonly newErrors: ReadonlyMap<string, string>;
  /** Whether an entry in a navigation may move others on. */
  readonly mayShift: boolean;
  readonly inherited: readonly Fields[];
}

/** What comes into the other files of its family: a translation that is silent says what its original says. */
function inheritedBy({ key }: Proposal, proposals: readonly Proposal[]): readonly Fields[] {
  return proposals
    .filter((other) => other.key !== key && familyOf(other.key) === familyOf(key))
    .map(({ record, fields }) =>
      Object.fromEntries(fields.map((name) => [name, record.fields[name] ?? null])),
    );
}

const NO_RECORD = 'this layout would not read it as that record';

function wrongIn(
  proposal: Proposal,
  now: DesiredRecord,
  { before, idOf, bodyOf, pageOf, editing }: AcceptInput,
  { newErrors, mayShift, inherited }: Around,
): string | undefined {
  const { record, file, fields, before: text, entry, label } = proposal;
  const code = newErrors.get(now.at.file);
  if (code !== undefined) return `the file would have an error (${code})`;
  if (text !== undefined && label === undefined && editing.fileOf(now.key) !== file) return NO_RECORD;
  const bodyField = bodyFieldOf(record.kind);
  const owned = ownedFields(now, idOf);
  const old = before.state.records.get(now.key);
  const oldOwned = old === undefined ? undefined : ownedFields(old, idOf);
  const names = new Set([...Object.keys(owned), ...Object.keys(oldOwned ?? {})]);
  for (const name of names) {
    const value = owned[name];
    const isMeant = oldOwned === undefined || fields.includes(name);
    const wanted = isMeant ? record.fields[name] : oldOwned[name];
    if (wanted === undefined && isMeant) continue;
    // Of a new page, a navigation may say it, and no key of the page can.
    const isPlaced = record.fields[name] === 0 || entry !== undefined;
    if (name === 'ordering' && oldOwned === undefined && isPlaced) continue;
    if (!isMeant && mayShift && OF_ORDER.has(name)) continue;
    if (!isMeant && value !== undefined && inherited.some((said) => same(said[name] ?? null, value)))
      continue;
    if (value === undefined || wanted === undefined || !same(value, wanted))
      return `this layout cannot say its \`${name}\``;
  }
  const missing = fields.find((name) => name !== bodyField && owned[name] === undefined);
  if (missing !== undefined) return `this layout cannot say its \`${missing}\``;
  const page = pageOf(record, file);
  if (old !== undefined && !fields.includes(bodyField)) {
    if (old.body?.inputDigest === now.body?.inputDigest) return undefined;
    const [before, after] = [old.body?.render() ?? '', now.body?.render() ?? ''];
    const isKept = before === after || areSame([...pageNodes(after, page)], pageNodes(before, page));
    return isKept ? undefined : 'its text would change with it';
  }
  const html = now.body?.render() ?? '';
  return areSame([...pageNodes(html, page)], pageNodes(bodyOf(proposal), page))
    ? undefined
    : 'the file would not show what the site shows';
}

function sameFields(a: Fields, b: Fields, mayShift: boolean): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => {
    const [one, other] = [a[name], b[name]];
    if (mayShift && isPlace(name, one, other)) return true;
    return one !== undefined && other !== undefined && same(one, other);
  });
}
