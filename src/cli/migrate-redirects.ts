import { resolve } from 'node:path';
import type { Key } from '../model/key.ts';
import type { MigrateRun, Prepared } from '../sync/migrate/migrate.ts';
import { REDIRECTS_HEAD, redirectMap } from '../sync/migrate/redirects.ts';
import { CliError } from './cli-error.ts';
import type { MigrationRun } from './migrate-services.ts';
import { counted } from './numbers.ts';
import { visible } from './plain.ts';

type Wishes = Pick<MigrationRun, 'flags' | 'screen' | 'world'>;

/**
 * An older map may be written anew; whatever else lies there is not ours to replace.
 * @throws CliError `refused`
 */
export async function checkRedirects({ flags, world }: Pick<Wishes, 'flags' | 'world'>): Promise<void> {
  if (flags.redirects === undefined) return;
  const text = await world.files.readText(resolve(world.cwd, flags.redirects));
  if (text === undefined || text === '' || text.startsWith(`${REDIRECTS_HEAD}\r\n`)) return;
  throw new CliError('refused', `\`${visible(flags.redirects)}\` is there and is no redirect map`, {
    help: 'name a new file: --redirects redirects.csv',
  });
}

/** Last, so that what was done is told whatever the disk says. */
export async function saveRedirects(
  { migration }: Prepared,
  run: MigrateRun,
  { flags, screen, world }: Wishes,
): Promise<void> {
  if (flags.redirects === undefined) return;
  if (run.report.interrupted || run.report.plan.refusals.length > 0) {
    screen.talk(`no redirects in ${visible(flags.redirects)} yet: a run that comes to its end writes them`);
    return;
  }
  const unsure = unsureOf(run);
  const { text, count, left } = redirectMap(migration, {
    all: flags.redirectsAll,
    isThere: (key) => run.base.records.has(key) && !unsure.has(key),
    slugs: run.verification?.slugs ?? new Map(),
  });
  await world.files.writeText(resolve(world.cwd, flags.redirects), text);
  const without = left === 0 ? '' : `, without ${counted(left, 'page')} whose new address is not known`;
  screen.talk(`${counted(count, 'redirect')} in ${visible(flags.redirects)}${without}`);
}

/** Who compared both sides knows what is there; of what was not shown, all that is open may have another address. */
function unsureOf({ report, verification }: MigrateRun): ReadonlySet<Key> {
  const { plan, results } = report;
  const open = new Set([
    ...results.filter(({ outcome }) => outcome !== 'done').map(({ key }) => key),
    ...[...plan.conflicts, ...plan.drift, ...plan.blocked].map(({ key }) => key),
  ]);
  if (verification === undefined) return open;
  const unsure = verification.differences.flatMap(({ code, key }) => {
    const isUnsure = key !== undefined && (code === 'missing' || (code === 'unreadable' && open.has(key)));
    return isUnsure ? [key] : [];
  });
  return new Set(unsure);
}
