import type { Intent } from '../../../base/base.ts';
import type { Key } from '../../../model/key.ts';
import { visible } from '../../../model/visible.ts';
import { shown, type Settings } from '../../../config/settings.ts';
import type { Choice } from '../../../sync/choice.ts';
import { partialJson, JSON_FORMAT } from '../../print/json.ts';
import { ago, counted, grouped } from '../../print/terminal/numbers.ts';
import { scheduledWords } from '../../print/plan/notes.ts';
import type { Finding } from '../../print/problems.ts';
import { aboutSame, setupFlags } from '../../flags.ts';
import type { Screen } from '../../print/terminal/screen.ts';
import type { World } from '../../world.ts';
import type { Markers } from './markers.ts';
import type { StatusFlags } from './command.ts';
import { witnessLines } from './stale.ts';
import { countsOf, tableOf, type Standing } from './standings.ts';
import { isIn, namesOf, type Attention, type TranslationRow, type Witness } from './translations.ts';

const NAMES_MAX = 3;
const SCHEDULED_MAX = 10;

/** What `kbsync status` found. */
export interface Status {
  readonly settings: Settings;
  /** Address of the knowledge base. */
  readonly origin: string;
  /** When the state file was written; undefined: there is none. */
  readonly modifiedMs: number | undefined;
  /** No run has written a state yet. */
  readonly isNew: boolean;
  /** Writes of the last run whose end is not known. */
  readonly open: readonly Intent[];
  readonly fileCount: number;
  readonly standings: readonly Standing[];
  readonly rows: readonly TranslationRow[];
  readonly markers: Markers;
  readonly attention: Attention;
  /** Records that were edited on the site; undefined: nobody asked the service. */
  readonly drift: readonly Key[] | undefined;
  readonly choice: Choice | undefined;
  readonly findings: readonly Finding[];
}

export function statusDocument(status: Status, languages: readonly string[]): object {
  const { origin, modifiedMs, standings, rows, attention, drift, open, choice, findings } = status;
  const isAsked = isIn(languages);
  return {
    format: JSON_FORMAT,
    origin,
    lastSync: modifiedMs === undefined ? null : new Date(modifiedMs).toISOString(),
    records: tableOf(standings),
    summary: countsOf(standings),
    translations: rows.map(({ witnesses, ...row }) => ({ ...row, knownBy: countsBy(witnesses) })),
    ...partialJson({ partial: choice }),
    drafts: attention.drafts.filter(isAsked),
    scheduled: attention.scheduled.filter(({ key }) => isAsked(key)),
    reviewsDue: attention.due.filter(({ key }) => isAsked(key)),
    ...(drift === undefined ? {} : { drift }),
    accepted: acceptedIn(standings),
    open: open.map(({ action, key }) => ({ action, key })),
    problems: findings.length,
  };
}

export function printStatus(
  status: Status,
  flags: StatusFlags,
  screen: Screen,
  world: Pick<World, 'clock' | 'cwd'>,
): void {
  const { lang: languages } = flags;
  const setup = setupFlags(flags);
  const { settings, origin, standings, rows, drift, choice } = status;
  if (!screen.isQuiet) {
    const since = sinceWords(status, world.clock.now());
    screen.answer(
      `${visible(shown(settings.contentDir, world))} ${screen.glyphs.arrow} ${origin}   ${since}\n`,
    );
    for (const line of tableLines(standings)) screen.answer(line);
    if (standings.length > 0) screen.answer('');
    for (const line of translationLines(rows, witnessLines(rows, status.markers))) screen.answer(line);
    for (const line of attentionLines(status.attention, languages)) screen.answer(line);
    for (const key of drift ?? []) screen.answer(`! edited on the site  ${visible(key)}`);
    for (const key of acceptedIn(standings))
      screen.answer(`! accepted from the site  ${visible(key)}: kbsync pull brings it into the file`);
  }
  for (const { action, key } of status.open)
    screen.answer(`! unfinished  ${action} ${visible(key)}; the next sync looks it up`);
  screen.answer(sumOf(standings, status.fileCount, drift));
  if (choice !== undefined) screen.answer(`partial: ${choice.keys.size} of ${counted(choice.of, 'record')}`);
  const errors = status.findings.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) screen.talk(`next: kbsync check${setup} (${counted(errors, 'error')} in the files)`);
  else if (standings.some(({ state }) => state !== 'in sync' && state !== 'excluded'))
    screen.talk(`next: kbsync plan${aboutSame(flags)}`);
  else if ((drift ?? []).length > 0)
    screen.talk(
      `next: kbsync pull${setup} brings the edits into the files; kbsync resolve${setup} KEY --local takes one back`,
    );
}

/** Records that count as in sync although their files lack an edit of the site that somebody accepted. */
function acceptedIn(standings: readonly Standing[]): readonly Key[] {
  return standings.flatMap(({ key, accepted }) => (accepted === undefined ? [] : [key]));
}

function sinceWords({ isNew, modifiedMs }: Status, nowMs: number): string {
  if (isNew) return 'never synced';
  return modifiedMs === undefined ? 'the state is shared' : `last sync ${ago(nowMs - modifiedMs)}`;
}

function countsBy(witnesses: TranslationRow['witnesses']): Readonly<Record<Witness, number>> {
  const counts = { commit: 0, state: 0, time: 0, none: 0 };
  for (const witness of witnesses.values()) counts[witness] += 1;
  return counts;
}

function tableLines(standings: readonly Standing[]): readonly string[] {
  const rows = tableOf(standings);
  if (rows.length === 0) return [];
  const width = Math.max(4, ...rows.map(({ lang }) => visible(lang).length));
  const line = (kind: string, lang: string, cells: readonly string[]): string =>
    `${kind.padEnd(9)}${lang.padEnd(width)}${cells.map((cell) => cell.padStart(9)).join('')}`;
  return [
    line('', '', ['in sync', 'changed', 'new', 'gone']),
    ...rows.map(({ kind, lang, counts }) =>
      line(kind, visible(lang), [counts.inStep, counts.changed, counts.new, counts.gone].map(grouped)),
    ),
  ];
}

function sumOf(standings: readonly Standing[], fileCount: number, drift: readonly Key[] | undefined): string {
  const { inStep, changed, new: fresh, gone, excluded } = countsOf(standings);
  const left = excluded === 0 ? '' : `, ${grouped(excluded)} excluded`;
  const asked =
    drift === undefined
      ? 'the service was not asked'
      : `${counted(drift.length, 'record')} edited on the site`;
  const of = `${counted(fileCount, 'file')}, ${counted(standings.length, 'record')}`;
  return `${of}: ${grouped(inStep)} in sync, ${grouped(changed)} changed, ${grouped(fresh)} new, ${grouped(gone)} gone${left} (${asked})`;
}

function translationLines(rows: readonly TranslationRow[], witnesses: readonly string[]): readonly string[] {
  if (rows.length === 0) return [];
  const width = Math.max(12, ...rows.map(({ lang }) => visible(lang).length + 2));
  const line = (lang: string, cells: readonly string[]): string =>
    `${lang.padEnd(width)}${cells.map((cell) => cell.padStart(11)).join('')}`;
  return [
    line('translations', ['up to date', 'stale', 'missing', 'orphan']),
    ...rows.map(({ lang, upToDate, stale, missing, orphan }) =>
      line(
        visible(lang),
        [upToDate, stale, missing, orphan].map(({ length }) => grouped(length)),
      ),
    ),
    ...rows.flatMap(({ lang, stale }) =>
      stale.length === 0 ? [] : [`  stale in ${visible(lang)}: ${visible(namesOf(stale, NAMES_MAX))}`],
    ),
    ...witnesses,
    '',
  ];
}

function attentionLines(
  { drafts, due, scheduled }: Attention,
  languages: readonly string[],
): readonly string[] {
  const own = drafts.filter(isIn(languages));
  const reviews = due.filter(({ key }) => isIn(languages)(key)).map(({ key }) => key);
  const coming = scheduled.filter(({ key }) => isIn(languages)(key));
  const rest = coming.length - SCHEDULED_MAX;
  return [
    ...coming
      .slice(0, SCHEDULED_MAX)
      .map(({ key, ...what }) => `scheduled: ${visible(namesOf([key], 1))}  ${scheduledWords(what)}`),
    ...(rest > 0 ? [`scheduled: … ${grouped(rest)} more (--json lists all)`] : []),
    ...(own.length === 0 ? [] : [`${counted(own.length, 'draft')}: ${visible(namesOf(own, NAMES_MAX))}`]),
    ...(reviews.length === 0
      ? []
      : [`${counted(reviews.length, 'review')} due: ${visible(namesOf(reviews, NAMES_MAX))}`]),
  ];
}
