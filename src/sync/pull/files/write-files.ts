import type { Key } from '../../../model/key.ts';
import { familyOf, kindOf, langOf } from '../../../model/key.ts';
import type { Repository } from '../../../model/repository.ts';
import { otherOwner } from '../../../model/stamp.ts';
import { idToCome } from '../../../plan/compare.ts';
import type { PullRun } from '../context.ts';
import { acceptedOf } from '../proposals/accepted.ts';
import { enterPages } from '../proposals/enter-pages.ts';
import { isProposal } from '../proposals/proposal.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { toSpool } from '../pulled-base.ts';
import type { SpooledRecord } from '../pulled-base.ts';
import type { Fetched } from '../reading/read-records.ts';
import type { PulledRecord } from '../report.ts';
import { judgedPage } from './conversion.ts';
import { draftRecord, GONE, refuseProposal, writeProposal } from './write-record.ts';
import type { RecordEnd } from './write-record.ts';

export interface End {
  readonly end: PulledRecord;
  /** What the service showed, where file and service say the same from now on. */
  readonly inSync: SpooledRecord | undefined;
}

/** Writes the files of the records, until the run is interrupted, and enters new pages into the layout's navigation. */
export function writeFiles(
  records: readonly Fetched[],
  run: PullRun,
  { unread, repository }: { readonly unread: readonly Key[]; readonly repository: Repository },
): readonly End[] {
  const { spool, signal } = run.options;
  const ends: End[] = [];
  const written: Proposal[] = [];
  for (const [record, told] of toldOf(records, run)) {
    if (signal?.aborted === true) break;
    const { end, isInSync, rest } = isProposal(told) ? writeProposal(told, run) : told;
    if (isProposal(told) && end.action !== 'left') written.push(told);
    // Another repository's category or tag comes along as a file and stays theirs: a sync of that file says so.
    const isOurs = otherOwner(record.stamp, repository) === undefined;
    ends.push({ end, inSync: isInSync && isOurs ? toSpool(spool, record, rest) : undefined });
  }
  const entered = enterPages(written, run);
  for (const key of unread) ends.push(...untoldGone(key, run));
  return ends.map((each) => {
    const said = entered.get(each.end.file ?? '');
    if (said === undefined) return each;
    const end = { ...each.end, ...said };
    return said.why === undefined ? { ...each, end } : { end, inSync: undefined };
  });
}

/** A record that nobody edited on the site, and whose file is gone. */
function untoldGone(key: Key, { base, places, options }: PullRun): readonly End[] {
  const known = base.records.get(key);
  const { records, withheld } = options.content.state;
  if (known === undefined || records.has(key) || withheld?.has(key) === true) return [];
  const lang = langOf(key);
  const file = places.fileOf(familyOf(key), lang);
  if (file === undefined || !options.wanted.isAskedFor(file)) return [];
  const end = {
    kind: kindOf(key),
    id: known.id,
    lang,
    key,
    file,
    action: 'gone',
    fields: [],
    why: GONE,
  } as const;
  return [{ end, inSync: undefined }];
}

/** Each record with what becomes of it; the proposals among them are judged together. */
function toldOf(
  records: readonly Fetched[],
  run: PullRun,
): readonly (readonly [Fetched, RecordEnd | Proposal])[] {
  const { content, spool } = run.options;
  const told = records.map((record) => [record, draftRecord(record, run)] as const);
  const proposals = told.flatMap(([, made]) => (isProposal(made) ? [made] : []));
  const editing = content.editing?.();
  if (proposals.length === 0 || editing === undefined) return told;
  const { refused, unentered, made } = acceptedOf(proposals, {
    editing,
    before: content,
    idOf: (family) => run.ids.get(family) ?? idToCome(family),
    shown: run.shown,
    bodyOf: ({ shows, record }) => spool.get(shows ?? record.body),
    pageOf: (record, file) => judgedPage(record, file, run),
  });
  return told.map(([record, one]) => {
    if (isProposal(one)) {
      const why = refused.get(one);
      return [record, why === undefined ? (unentered.get(one) ?? one) : refuseProposal(one, why, run)];
    }
    // A tag or category that a new page makes by naming it.
    const { key, action } = one.end;
    const isMade = action === 'onSite' && key !== undefined && made.has(key);
    const { why: _, ...told } = one.end;
    return [record, isMade ? { end: { ...told, action: 'unchanged' as const }, isInSync: true } : one];
  });
}
