import { resolve } from 'node:path';
import type { Key } from '../../../model/key.ts';
import type { MigrateRun, Prepared } from '../../../sync/migrate/migrate.ts';
import { isRedirectFile } from '../../../model/address/redirect.ts';
import { redirectMap } from '../../../sync/migrate/redirects.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import type { MigrationRun } from './services.ts';
import { counted } from '../../print/terminal/numbers.ts';

type Wishes = Pick<MigrationRun, 'flags' | 'screen' | 'world'>;

/**
 * An older map may be overwritten; any other file is not ours to replace.
 * @throws SetupError `refused`
 */
export async function checkRedirects({ flags, world }: Pick<Wishes, 'flags' | 'world'>): Promise<void> {
  if (flags.redirects === undefined) return;
  const text = await world.files.readText(resolve(world.cwd, flags.redirects));
  if (text === undefined || text === '' || isRedirectFile(text, 'csv')) return;
  throw new SetupError('refused', `\`${visible(flags.redirects)}\` exists and is not a redirect map`, {
    help: 'name a new file: --redirects redirects.csv',
  });
}

/** Last, so a full disk does not hide what was done. */
export async function saveRedirects(
  { migration }: Prepared,
  run: MigrateRun,
  { flags, screen, world }: Wishes,
): Promise<void> {
  if (flags.redirects === undefined) return;
  if (run.report.interrupted || run.report.plan.refusals.length > 0) {
    screen.talk(`redirects not written to ${visible(flags.redirects)}: only a completed run writes them`);
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
