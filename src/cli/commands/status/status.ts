import type { BaseState, DesiredState } from '../../../model/record.ts';
import { keyIn, KINDS, kindOf, langOf, type Family, type Key, type Kind } from '../../../model/key.ts';
import { differsFromBase, idToCome, ownedFields } from '../../../plan/compare.ts';
import { CAREFUL } from '../../../plan/policy.ts';
import { addressOf } from '../../../session/access.ts';
import { readState } from '../../../session/session.ts';
import { statePlaceOf } from '../../../session/shared.ts';
import { EXIT } from '../../run/exit.ts';
import { readAsSynced } from '../../run/read-for-service.ts';
import type { StatusFlags } from './command.ts';
import { JSON_FORMAT, partialJson } from '../../print/json.ts';
import { chosenFrom, wantedBy } from '../../run/choice.ts';
import { ago, counted, grouped } from '../../print/numbers.ts';
import { visible } from '../../../model/visible.ts';
import { scheduledWords } from '../../print/plan.ts';
import { eventPrinter } from '../../print/events.ts';
import { screen as screenOf } from '../../print/screen.ts';
import { loadSettings, shown } from '../../../config/settings.ts';
import {
  attentionOf,
  isIn,
  namesOf,
  selected,
  translationRows,
  type Attention,
  type CommitTime,
  type TranslationRow,
  type Witness,
} from './translations.ts';
import { lastCommits } from './last-commits.ts';
import { markersOf } from './markers.ts';
import { staleLines, staleTranslations, witnessLines } from './stale.ts';
import type { World } from '../../world.ts';

/** How the files differ from the last sync. The service is not asked, so edits on the site do not show here. */
interface Standing {
  readonly key: Key;
  readonly state: 'in sync' | 'changed' | 'new' | 'gone' | 'excluded';
}

/** `kbsync status`: per kind and language, from the files and the state alone. */
export async function status(flags: StatusFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  try {
    printer.emit({ type: 'phase', phase: 'read files' });
    const settings = await loadSettings(flags, world);
    const address = addressOf(settings);
    const {
      state: base,
      open,
      isNew,
    } = await readState(await statePlaceOf(settings, world, 'status'), address);
    const { content, findings } = await readAsSynced(settings, flags, world, base);
    const modifiedMs = await world.files.modifiedMs(settings.stateFile);
    const wanted = await wantedBy(flags, settings, world);
    const choice = wanted === undefined ? undefined : chosenFrom(wanted, content.state, base);
    const isChosen = (key: Key): boolean => choice === undefined || choice.keys.has(key);
    const standings = standingsOf(content.state, base, flags.lang).filter(({ key }) => isChosen(key));
    const markers = await markersOf(content.state, settings.contentDir, world);
    const commits = await lastCommits(settings.contentDir, world.cwd);
    const committed: CommitTime = (file) => commits?.get(file)?.seconds;
    const rows = selected(translationRows(content.state, base, { committed, markers }), flags.lang);
    const attention = attentionOf(content.state, new Date(world.clock.now()).toISOString().slice(0, 10));
    const drift = flags.remote ? await driftNow(flags, world) : undefined;
    const chosenRows = rows.map((row) => rowOf(row, isChosen));
    const about = {
      rows: chosenRows,
      desired: content.state,
      markers,
      commits,
      folder: settings.contentDir,
      cwd: world.cwd,
    };
    if (flags.html !== undefined) {
      const { saveStatusPage } = await import('./page.ts');
      const stale = await staleTranslations({ ...about, diff: true });
      await saveStatusPage(flags.html, { ...about, stale, isChosen, settings, world });
      if (!screen.isQuiet) screen.talk(`the translations as a page: ${visible(flags.html)}`);
    }
    if (flags.stale || flags.diff !== undefined) {
      const stale = await staleTranslations({ ...about, diff: flags.diff ?? false });
      printer.close();
      if (screen.isJson) screen.document({ format: JSON_FORMAT, stale });
      else for (const line of staleLines(stale, chosenRows)) screen.answer(line);
      return EXIT.done;
    }
    printer.close();
    const errors = findings.filter((finding) => finding.severity === 'error').length;
    if (screen.isJson) {
      screen.document({
        format: JSON_FORMAT,
        origin: address.href,
        lastSync: modifiedMs === undefined ? null : new Date(modifiedMs).toISOString(),
        records: tableOf(standings),
        summary: countsOf(standings),
        translations: chosenRows.map(({ witnesses, ...row }) => ({ ...row, knownBy: countsBy(witnesses) })),
        ...partialJson({ partial: choice }),
        drafts: attention.drafts.filter(isIn(flags.lang)),
        scheduled: attention.scheduled.filter(({ key }) => isIn(flags.lang)(key)),
        reviewsDue: attention.due.filter(({ key }) => isIn(flags.lang)(key)),
        ...(drift === undefined ? {} : { drift }),
        open: open.map(({ action, key }) => ({ action, key })),
        problems: findings.length,
      });
      return EXIT.done;
    }
    const since = isNew
      ? 'never synced'
      : modifiedMs === undefined
        ? 'the state is shared'
        : `last sync ${ago(world.clock.now() - modifiedMs)}`;
    const arrow = screen.glyphs.arrow;
    if (!screen.isQuiet) {
      screen.answer(`${visible(shown(settings.contentDir, world))} ${arrow} ${address.href}   ${since}\n`);
      for (const line of tableLines(standings)) screen.answer(line);
      if (standings.length > 0) screen.answer('');
      for (const line of translationLines(chosenRows, witnessLines(chosenRows, markers))) screen.answer(line);
      for (const line of attentionLines(attention, flags.lang)) screen.answer(line);
      for (const key of drift ?? []) screen.answer(`! edited on the site  ${visible(key)}`);
    }
    for (const intent of open) {
      screen.answer(`! unfinished  ${intent.action} ${visible(intent.key)}; the next sync looks it up`);
    }
    screen.answer(sumOf(standings, content.state.fileCount, drift));
    if (choice !== undefined)
      screen.answer(`partial: ${choice.keys.size} of ${counted(choice.of, 'record')}`);
    if (errors > 0) screen.talk(`next: kbsync check (${counted(errors, 'error')} in the files)`);
    else if (standings.some(({ state }) => state !== 'in sync' && state !== 'excluded'))
      screen.talk('next: kbsync plan');
    return EXIT.done;
  } finally {
    printer.close();
  }
}

function rowOf(row: TranslationRow, isChosen: (key: Key) => boolean): TranslationRow {
  const chosen = (keys: readonly Key[]): readonly Key[] => keys.filter(isChosen);
  const { lang, upToDate, stale, missing, orphan, witnesses } = row;
  return {
    lang,
    witnesses: new Map([...witnesses].filter(([key]) => isChosen(key))),
    upToDate: chosen(upToDate),
    stale: chosen(stale),
    missing: chosen(missing),
    orphan: chosen(orphan),
  };
}

function countsBy(witnesses: TranslationRow['witnesses']): Readonly<Record<Witness, number>> {
  const counts = { commit: 0, state: 0, time: 0, none: 0 };
  for (const witness of witnesses.values()) counts[witness] += 1;
  return counts;
}

function standingsOf(
  desired: DesiredState,
  base: BaseState,
  languages: readonly string[],
): readonly Standing[] {
  const idOf = (family: Family): string =>
    base.records.get(keyIn(family, desired.defaultLanguage))?.id ?? idToCome(family);
  const present = [...desired.records.values()].map((record): Standing => {
    const known = base.records.get(record.key);
    if (known === undefined) return { key: record.key, state: 'new' };
    const isChanged = differsFromBase(record, ownedFields(record, idOf), known);
    return { key: record.key, state: isChanged ? 'changed' : 'in sync' };
  });
  const missing = [...base.records.keys()].filter((key) => !desired.records.has(key));
  const excluded = missing.length === 0 ? undefined : desired.excluded?.();
  const gone = missing.map((key): Standing => ({
    key,
    state: excluded?.has(key) === true ? 'excluded' : 'gone',
  }));
  return [...present, ...gone].filter(({ key }) => languages.length === 0 || languages.includes(langOf(key)));
}

interface Row {
  readonly kind: Kind;
  readonly lang: string;
  readonly counts: Counts;
}
type Counts = Readonly<Record<'inStep' | 'changed' | 'new' | 'gone' | 'excluded', number>>;

function tableOf(standings: readonly Standing[]): readonly Row[] {
  const languages = [...new Set(standings.map(({ key }) => langOf(key)))].sort();
  return [...KINDS].sort().flatMap((kind) =>
    languages.flatMap((lang) => {
      const own = standings.filter(({ key }) => kindOf(key) === kind && langOf(key) === lang);
      return own.length === 0 ? [] : [{ kind, lang, counts: countsOf(own) }];
    }),
  );
}

function countsOf(standings: readonly Standing[]): Counts {
  const count = (wanted: Standing['state']): number =>
    standings.filter(({ state }) => state === wanted).length;
  return {
    inStep: count('in sync'),
    changed: count('changed'),
    new: count('new'),
    gone: count('gone'),
    excluded: count('excluded'),
  };
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

/** Records that were edited on the site, and whose files do not have the edit. */
async function driftNow(flags: StatusFlags, world: World): Promise<readonly Key[]> {
  const { withEngine } = await import('../../run/engine.ts');
  const { onlyNamed, policyFrom } = await import('../../run/policy.ts');
  let keys: readonly Key[] = [];
  const options = {
    command: 'plan' as const,
    readOnly: true,
    policy: policyFrom({ ...CAREFUL, languages: onlyNamed(flags.lang) }, {}),
  };
  const quiet = { ...flags, quiet: true, json: false };
  await withEngine(quiet, world, options, async (engine) => {
    const { plan } = await engine.plan();
    keys = [...plan.drift, ...plan.conflicts].map(({ key }) => key).sort();
    return EXIT.done;
  });
  return keys;
}

const NAMES_MAX = 3;
const SCHEDULED_MAX = 10;

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
