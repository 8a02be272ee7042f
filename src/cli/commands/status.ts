import type { BaseState, DesiredState } from '../../model/record.ts';
import { keyIn, KINDS, kindOf, langOf, type Family, type Key, type Kind } from '../../model/key.ts';
import { differsFromBase, idToCome, ownedFields } from '../../plan/compare.ts';
import { addressOf } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { readContent } from '../files-run.ts';
import type { CommonFlags } from '../flags.ts';
import { JSON_FORMAT } from '../json.ts';
import { ago, counted, grouped } from '../numbers.ts';
import { visible } from '../plain.ts';
import { eventPrinter } from '../print-event.ts';
import { screen as screenOf } from '../screen.ts';
import { loadSettings, shown } from '../settings.ts';
import type { World } from '../world.ts';

/** How the files stand to the last sync; the service is not asked, so edits on the site do not show here. */
interface Standing {
  readonly key: Key;
  readonly state: 'in step' | 'changed' | 'new' | 'gone';
}

/** `kbsync status`: per kind and language, from the files and the state alone. */
export async function status(flags: CommonFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  try {
    printer.emit({ type: 'phase', phase: 'read files' });
    const settings = await loadSettings(flags, world);
    const address = addressOf(settings);
    const { content, findings } = await readContent(settings, flags, world);
    const { openBase } = await import('../../base/store.ts');
    const store = await openBase({ file: settings.stateFile, origin: address.href, readOnly: true });
    const { state: base, open, isNew } = await store.load();
    const modifiedMs = await world.files.modifiedMs(settings.stateFile);
    const standings = standingsOf(content.state, base, flags.lang);
    printer.close();
    const errors = findings.filter((finding) => finding.severity === 'error').length;
    if (screen.isJson) {
      screen.document({
        format: JSON_FORMAT,
        origin: address.href,
        lastSync: modifiedMs === undefined ? null : new Date(modifiedMs).toISOString(),
        records: tableOf(standings),
        summary: countsOf(standings),
        open: open.map(({ action, key }) => ({ action, key })),
        problems: findings.length,
      });
      return EXIT.done;
    }
    const since =
      isNew || modifiedMs === undefined ? 'never synced' : `last sync ${ago(world.clock.now() - modifiedMs)}`;
    const arrow = screen.glyphs.arrow;
    if (!screen.isQuiet) {
      screen.answer(`${visible(shown(settings.contentDir, world))} ${arrow} ${address.href}   ${since}\n`);
      for (const line of tableLines(standings)) screen.answer(line);
      if (standings.length > 0) screen.answer('');
    }
    for (const intent of open) {
      screen.answer(`! unfinished  ${intent.action} ${visible(intent.key)}; the next sync looks it up`);
    }
    screen.answer(sumOf(standings, content.state.fileCount));
    if (errors > 0) screen.talk(`next: kbsync check (${counted(errors, 'error')} in the files)`);
    else if (standings.some(({ state }) => state !== 'in step')) screen.talk('next: kbsync plan');
    return EXIT.done;
  } finally {
    printer.close();
  }
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
    return { key: record.key, state: isChanged ? 'changed' : 'in step' };
  });
  const gone = [...base.records.keys()]
    .filter((key) => !desired.records.has(key))
    .map((key): Standing => ({ key, state: 'gone' }));
  return [...present, ...gone].filter(({ key }) => languages.length === 0 || languages.includes(langOf(key)));
}

interface Row {
  readonly kind: Kind;
  readonly lang: string;
  readonly counts: Counts;
}
type Counts = Readonly<Record<'inStep' | 'changed' | 'new' | 'gone', number>>;

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
  return { inStep: count('in step'), changed: count('changed'), new: count('new'), gone: count('gone') };
}

function tableLines(standings: readonly Standing[]): readonly string[] {
  const rows = tableOf(standings);
  if (rows.length === 0) return [];
  const width = Math.max(4, ...rows.map(({ lang }) => visible(lang).length));
  const line = (kind: string, lang: string, cells: readonly string[]): string =>
    `${kind.padEnd(9)}${lang.padEnd(width)}${cells.map((cell) => cell.padStart(9)).join('')}`;
  return [
    line('', '', ['in step', 'changed', 'new', 'gone']),
    ...rows.map(({ kind, lang, counts }) =>
      line(kind, visible(lang), [counts.inStep, counts.changed, counts.new, counts.gone].map(grouped)),
    ),
  ];
}

function sumOf(standings: readonly Standing[], fileCount: number): string {
  const { inStep, changed, new: fresh, gone } = countsOf(standings);
  return `${counted(fileCount, 'file')}: ${grouped(inStep)} in step, ${grouped(changed)} changed, ${grouped(fresh)} new, ${grouped(gone)} gone (the service was not asked)`;
}
