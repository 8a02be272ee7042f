import type { Key } from '../../model/key.ts';
import { keyOf, parseKey } from '../../model/key.ts';
import type { SyncReport } from '../../sync/report.ts';
import { CliError } from '../cli-error.ts';
import { withEngine, type Engine } from '../engine.ts';
import { EXIT, syncExit } from '../exit.ts';
import type { ResolveFlags } from '../flags.ts';
import { syncDocument } from '../json.ts';
import { didYouMean } from '../nearest.ts';
import { counted } from '../numbers.ts';
import { visible } from '../plain.ts';
import { policyOfChoice } from '../policy.ts';
import { syncLines } from '../print-sync.ts';
import type { World } from '../world.ts';
import { deletesWanted } from './sync.ts';

/** `kbsync resolve KEY… --local|--remote`: one side stands in all that is open about these records; nothing else is sent. */
export async function resolve(names: readonly string[], flags: ResolveFlags, world: World): Promise<number> {
  const keys = new Set(names.map(keyFrom));
  const policy = policyOfChoice(flags, sideOf(flags), { keys, what: 'disputes' });
  return withEngine(flags, world, { command: 'resolve', readOnly: false, policy }, async (engine) => {
    checkKnown(keys, engine);
    let isDeclined = false;
    const report = await engine.sync(async (plan) => {
      isDeclined = !(flags.yes || (await deletesWanted(plan, engine, world)));
      return !isDeclined;
    });
    return printResolved(report, keys, isDeclined, engine);
  });
}

function sideOf({ local, remote }: ResolveFlags): 'local' | 'remote' {
  if (local === true) return 'local';
  if (remote === true) return 'remote';
  throw new CliError('usage', 'whose side stands? Give --local (the file’s) or --remote (the site’s)');
}

function keyFrom(text: string): Key {
  const parts = parseKey(text);
  if (parts !== undefined) return keyOf(parts.kind, parts.path, parts.lang);
  throw new CliError('usage', `\`${visible(text)}\` is not the key of a record`, {
    help: 'a key is kind, path and language: article/billing/refunds@de; kbsync plan prints them',
  });
}

function checkKnown(keys: ReadonlySet<Key>, { desired, base }: Engine): void {
  for (const key of keys) {
    if (desired.records.has(key) || base.records.has(key)) continue;
    const known = [...new Set([...desired.records.keys(), ...base.records.keys()])];
    throw new CliError(
      'usage',
      `neither the files nor the last sync know \`${visible(key)}\`${didYouMean(key, known)}`,
      { help: 'kbsync plan prints the keys of all conflicts' },
    );
  }
}

function printResolved(
  report: SyncReport,
  keys: ReadonlySet<Key>,
  isDeclined: boolean,
  engine: Engine,
): number {
  const { screen, printer, findings } = engine;
  printer.close();
  const exit = isDeclined ? EXIT.refused : syncExit(report);
  if (isDeclined) screen.complain('nothing was sent');
  const ends = [...keys].flatMap((key) => {
    const end = endOf(key, report);
    return end === undefined ? [] : [{ key, end }];
  });
  if (screen.isJson) {
    screen.document({ ...syncDocument(report, findings), settled: ends });
    return exit;
  }
  for (const { key, end } of isDeclined ? [] : ends) screen.answer(`${visible(key)}  ${end}`);
  const context = { ...engine.context(report.plan), warnings: [] };
  const lines = syncLines(report, context);
  if (lines.length > 0) screen.answer(lines.join('\n'));
  screen.talk(counted(report.requests, 'request'));
  if (exit === EXIT.partly || exit === EXIT.failed)
    screen.talk('next: the same command again; what is done is not sent twice');
  return exit;
}

/** What became of one record; undefined where the lines about failures, conflicts and refusals say it. */
function endOf(key: Key, { plan, results }: SyncReport): string | undefined {
  const result = results.find((each) => each.key === key);
  if (result !== undefined) return result.outcome === 'done' ? `settled: ${result.message}` : undefined;
  const isOpen =
    plan.conflicts.some((conflict) => conflict.key === key) ||
    plan.blocked.some((blocked) => blocked.key === key) ||
    plan.kept.some((kept) => kept.key === key) ||
    plan.refusals.length > 0;
  if (isOpen) return undefined;
  for (const settled of plan.settled) {
    if (settled.how === 'forgotten' && settled.key === key) {
      return 'settled: the site’s record stays and is no longer managed';
    }
    if (settled.how === 'acknowledged' && settled.record.key === key) {
      return 'settled: the site’s values stand until the file changes again; write them into the file to keep them';
    }
  }
  return 'nothing to settle';
}
