import type { Key } from '../../../model/key.ts';
import { keyOf, kindOf, parseKey } from '../../../model/key.ts';
import { CAREFUL, type PlanPolicy } from '../../../plan/policy.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { didYouMean } from '../../../content/suggest.ts';
import { visible } from '../../../model/visible.ts';
import { withEngine, type Engine } from '../../run/engine/engine.ts';
import { EXIT, syncExit } from '../../run/exit.ts';
import type { ResolveFlags } from './command.ts';
import { syncDocument } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { allowedBy, policyFrom } from '../../run/policy.ts';
import { syncLines } from '../sync/print.ts';
import type { World } from '../../world.ts';
import { deletesWanted } from '../sync/sync.ts';

/** `kbsync resolve KEY… --local|--remote`: one side stands in all that is open about these records; nothing else is sent. */
export async function resolve(names: readonly string[], flags: ResolveFlags, world: World): Promise<number> {
  const keys = new Set(names.map(keyFrom));
  const side = sideOf(flags);
  const onDrift = side === 'local' ? 'overwrite' : 'acknowledge';
  const chosen: PlanPolicy = {
    ...CAREFUL,
    onConflict: side,
    onDrift,
    adopt: side,
    allow: allowedBy(flags),
    only: { keys, what: 'disputes' },
  };
  const policy = policyFrom(chosen, flags);
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
  throw new SetupError('usage', 'which side wins? Give --local (the file’s) or --remote (the site’s)');
}

function keyFrom(text: string): Key {
  const parts = parseKey(text);
  if (parts !== undefined) return keyOf(parts.kind, parts.path, parts.lang);
  throw new SetupError('usage', `\`${visible(text)}\` is not the key of a record`, {
    help: 'a key is kind, path and language: article/billing/refunds@de; kbsync plan prints them',
  });
}

function checkKnown(keys: ReadonlySet<Key>, { desired, base }: Engine): void {
  for (const key of keys) {
    if (desired.records.has(key) || base.records.has(key)) continue;
    const all = [...new Set([...desired.records.keys(), ...base.records.keys()])];
    // A file may name its record by `translationKey` or by its layout, in another folder than its own.
    const namesakes = all.filter((other) => leafOf(other) === leafOf(key));
    const [only] = namesakes;
    const meant =
      only !== undefined && namesakes.length === 1 ? `, did you mean \`${only}\`?` : didYouMean(key, all);
    throw new SetupError(
      'usage',
      `neither the files nor the last sync know \`${visible(key)}\`${visible(meant)}`,
      { help: 'kbsync plan prints the keys of all conflicts' },
    );
  }
}

function leafOf(key: Key): string {
  return `${kindOf(key)} ${key.slice(key.lastIndexOf('/') + 1)}`;
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
    screen.talk('next: run the same command again; what is done is not sent twice');
  return exit;
}

/** The file still has its own words, and every later sync calls the two in sync. */
const SITE_STAYS =
  'the site’s values stay until the file changes again; to keep them, bring them into the file with kbsync pull';

/** What became of one record; undefined where the lines about failures, conflicts and refusals say it. */
function endOf(key: Key, { plan, results }: SyncReport): string | undefined {
  const result = results.find((each) => each.key === key);
  if (result !== undefined) {
    if (result.outcome !== 'done') return undefined;
    const { acknowledged = [] } = plan.changes.find((change) => change.key === key) ?? {};
    return acknowledged.length === 0
      ? `resolved: ${result.message}`
      : `resolved: ${result.message}; ${acknowledged.join(', ')}: ${SITE_STAYS}`;
  }
  const isOpen =
    plan.conflicts.some((conflict) => conflict.key === key) ||
    plan.blocked.some((blocked) => blocked.key === key) ||
    plan.kept.some((kept) => kept.key === key) ||
    plan.refusals.length > 0;
  if (isOpen) return undefined;
  for (const learnt of plan.learnt) {
    if (learnt.how === 'forgotten' && learnt.key === key) {
      return 'resolved: the site’s record stays and is no longer managed';
    }
    if (learnt.how === 'acknowledged' && learnt.record.key === key) {
      return `resolved: ${SITE_STAYS}`;
    }
  }
  return 'nothing to resolve';
}
