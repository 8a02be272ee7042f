import type { Key } from '../../../model/key.ts';
import { CAREFUL } from '../../../plan/policy.ts';
import { addressOf } from '../../../session/access.ts';
import { readState } from '../../../session/session.ts';
import { statePlaceOf } from '../../../session/shared.ts';
import { EXIT } from '../../run/exit.ts';
import { readAsSynced } from '../../run/read-for-service.ts';
import type { StatusFlags } from './command.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { chosenFrom, wantedBy } from '../../run/choice.ts';
import { visible } from '../../../model/visible.ts';
import { eventPrinter } from '../../print/terminal/events.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import { loadSettings } from '../../../config/settings.ts';
import {
  attentionOf,
  isIn,
  selected,
  translationRows,
  type CommitTime,
  type TranslationRow,
} from './translations.ts';
import { lastCommits } from './last-commits.ts';
import { markersOf } from './markers.ts';
import { printStatus, statusDocument, type Status } from './print.ts';
import { staleLines, staleTranslations } from './stale.ts';
import { standingsOf } from './standings.ts';
import type { World } from '../../world.ts';

/** `kbsync status`: per kind and language, from the files and the state alone. */
export async function status(flags: StatusFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  try {
    printer.emit({ type: 'phase', phase: 'read files' });
    const { commits, desired, isChosen, ...now } = await statusNow(flags, world);
    const { settings, rows, markers } = now;
    const about = { rows, desired, markers, commits, folder: settings.contentDir, cwd: world.cwd };
    if (flags.html !== undefined) {
      const { saveStatusPage } = await import('./page.ts');
      const stale = await staleTranslations({ ...about, diff: true });
      await saveStatusPage(flags.html, { ...about, stale, isChosen, settings, world });
      if (!screen.isQuiet) screen.talk(`the translations as a page: ${visible(flags.html)}`);
    }
    const isAboutStale = flags.stale || flags.diff !== undefined;
    const stale = isAboutStale ? await staleTranslations({ ...about, diff: flags.diff ?? false }) : [];
    printer.close();
    if (isAboutStale && screen.isJson) screen.document({ format: JSON_FORMAT, stale });
    else if (isAboutStale) for (const line of staleLines(stale, rows)) screen.answer(line);
    else if (screen.isJson) screen.document(statusDocument(now, flags.lang));
    else printStatus(now, flags, screen, world);
    return EXIT.done;
  } finally {
    printer.close();
  }
}

/** What the files and the state say, and the service with `--remote`. */
async function statusNow(flags: StatusFlags, world: World) {
  const settings = await loadSettings(flags, world);
  const address = addressOf(settings);
  const {
    state: base,
    open,
    isNew,
  } = await readState(await statePlaceOf(settings, world, 'status'), address);
  const { content, findings } = await readAsSynced(settings, flags, world, base);
  const { state: desired } = content;
  const modifiedMs = await world.files.modifiedMs(settings.stateFile);
  const wanted = await wantedBy(flags, settings, world);
  const choice = wanted === undefined ? undefined : chosenFrom(wanted, desired, base);
  const isChosen = (key: Key): boolean => choice === undefined || choice.keys.has(key);
  const markers = await markersOf(desired, settings.contentDir, world);
  const commits = await lastCommits(settings.contentDir, world.cwd);
  const committed: CommitTime = (file) => commits?.get(file)?.seconds;
  const rows = selected(translationRows(desired, base, { committed, markers }), flags.lang);
  return {
    settings,
    origin: address.href,
    modifiedMs,
    isNew,
    open,
    fileCount: desired.fileCount,
    standings: standingsOf(desired, base).filter(({ key }) => isIn(flags.lang)(key) && isChosen(key)),
    rows: rows.map((row) => rowOf(row, isChosen)),
    markers,
    attention: attentionOf(desired, new Date(world.clock.now()).toISOString().slice(0, 10)),
    drift: flags.remote ? await driftNow(flags, world) : undefined,
    choice,
    findings,
    commits,
    desired,
    isChosen,
  } satisfies Status & Record<string, unknown>;
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

/** Records that were edited on the site, and whose files do not have the edit. */
async function driftNow(flags: StatusFlags, world: World): Promise<readonly Key[]> {
  const { withEngine } = await import('../../run/engine/engine.ts');
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
