import { EXIT } from '../../run/exit.ts';
import { addressFrom, apiKeyFor } from '../../../session/access.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { nodeVersions } from '../../../machine/versions.ts';
import type { Capabilities } from '../../../model/record.ts';
import type { DoctorFlags } from './command.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { ago, counted } from '../../print/terminal/numbers.ts';
import { tableLines } from '../../print/terminal/text.ts';
import { failed, type Check } from './check.ts';
import { readState, stateAgeMs } from '../../../session/session.ts';
import { statePlaceOf } from '../../../session/shared.ts';
import { historyBound, historyFolder } from '../../../session/run-log.ts';
import type { BaseUrl } from '../../../remote/address.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import type { ConfigProblem } from '../../../config/parse.ts';
import { ConfigError, loadSettings, shown, type Settings } from '../../../config/settings.ts';
import { showPlace } from '../../../model/problem.ts';
import { type World } from '../../world.ts';
import { serviceFindings } from './service.ts';

const WATCHES_MIN = 8192;

/** `kbsync doctor`: looks at everything a run needs, and asks with reads only. Exit 1 when a run would fail. */
export async function doctor(flags: DoctorFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const { running, needed } = nodeVersions();
  const findings = [
    nodeFinding(running, needed),
    ...(await watchLimit(world)),
    ...(await setup(flags, world)),
  ];
  const failed = findings.filter(({ standing }) => standing === 'failed').length;
  const warnings = findings.filter(({ standing }) => standing === 'warning').length;
  const exit = failed > 0 ? EXIT.failed : EXIT.done;
  if (screen.isJson) {
    screen.document({ format: JSON_FORMAT, checks: findings, summary: { failed, warnings } });
    return exit;
  }
  for (const { check, standing, found, help } of findings) {
    for (const line of tableLines([[standing.padEnd(7), check.padEnd(15), found]])) screen.answer(line);
    if (help !== undefined) screen.answer(`         = help: ${help}`);
  }
  screen.answer(
    failed + warnings === 0 ? 'nothing wrong' : `${failed} failed, ${counted(warnings, 'warning')}`,
  );
  return exit;
}

/** `needed` is `>=20.19`, as package.json says it. */
export function nodeFinding(running: string, needed: string): Check {
  const [major = 0, minor = 0] = running.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = needed.replace(/^>=/, '').split('.').map(Number);
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  const found = `${running}, needs ${needed.replace(/^>=/, '')} or newer`;
  return isEnough
    ? { check: 'node', standing: 'ok', found }
    : { check: 'node', standing: 'failed', found, help: 'install a newer Node.js: https://nodejs.org' };
}

async function watchLimit(world: World): Promise<readonly Check[]> {
  const text = await world.files.readText('/proc/sys/fs/inotify/max_user_watches').catch(() => undefined);
  if (text === undefined) return [];
  const limit = Number(text);
  const found = `${limit} files can be watched`;
  return limit >= WATCHES_MIN
    ? [{ check: 'watching', standing: 'ok', found }]
    : [{ check: 'watching', standing: 'warning', found, help: 'raise fs.inotify.max_user_watches' }];
}

/** Each step needs the one before it, so the first failure is the last line. */
async function setup(flags: DoctorFlags, world: World): Promise<readonly Check[]> {
  const findings: Check[] = [];
  let check = 'settings';
  try {
    const settings = await loadSettings(flags, world);
    findings.push({ check, standing: 'ok', found: settings.configFile ?? 'no kbsync.yaml, defaults' });
    check = 'content';
    const hasContent = (await world.files.list(settings.contentDir)) !== undefined;
    findings.push({
      check,
      standing: hasContent ? 'ok' : 'failed',
      found: `${shown(settings.contentDir, world)}${hasContent ? '' : ' is not there'}`,
      ...(hasContent
        ? {}
        : { help: 'name the folder that holds one folder for each language: --content docs' }),
    });
    check = 'address';
    if (settings.baseUrl === undefined)
      throw new SetupError('usage', 'there is no address', { help: 'kbsync init' });
    const address = addressFrom(settings.baseUrl, settings.baseUrlSource);
    findings.push({ check, standing: 'ok', found: `${address.href} (${settings.baseUrlSource})` });
    check = 'state';
    const { found, capabilities } = await stateOf(settings, address, world);
    findings.push({ check, standing: 'ok', found });
    check = 'history';
    findings.push(await historyFinding(settings));
    check = 'key';
    const apiKey = apiKeyFor(address, world.env);
    const isBound = (world.env['KBSYNC_ORIGIN'] ?? '') !== '';
    findings.push({ check, standing: 'ok', found: isBound ? 'set, bound by KBSYNC_ORIGIN' : 'set' });
    const defaultLanguage = settings.file.defaultLanguage ?? 'en';
    check = 'service';
    findings.push(
      ...(await serviceFindings({ access: { address, apiKey }, capabilities, defaultLanguage }, world)),
    );
  } catch (error) {
    if (error instanceof ConfigError) findings.push(...error.problems.map(configFinding));
    else findings.push(failed(check, error));
  }
  return findings;
}

function configFinding({ at, message, help }: ConfigProblem): Check {
  const found = `${showPlace(at)}: ${message}`;
  return { check: 'settings', standing: 'failed', found, ...(help === undefined ? {} : { help }) };
}

/** How far `kbsync undo` can look back. */
async function historyFinding(settings: Settings): Promise<Check> {
  const check = 'history';
  const bound = historyBound(settings);
  if (bound.runs === 0) return { check, standing: 'ok', found: 'off (`history` in the settings)' };
  const { openPastRuns } = await import('../../../base/history/history-file.ts');
  const { runs, bytes } = await openPastRuns(historyFolder(settings.stateFile)).use();
  const megabytes = (count: number): string => `${(count / 1_000_000).toFixed(1)} MB`;
  const kept = `${counted(runs, 'run')}, ${megabytes(bytes)}`;
  const found = `${kept}; kbsync keeps ${counted(bound.runs, 'run')} and ${megabytes(bound.bytes)} at most`;
  return { check, standing: 'ok', found };
}

/** What the last sync left, read without its lock. */
async function stateOf(
  settings: Settings,
  address: BaseUrl,
  world: World,
): Promise<{ readonly found: string; readonly capabilities: Capabilities }> {
  const { state, open, isNew } = await readState(await statePlaceOf(settings, world, 'doctor'), address);
  const { capabilities } = state;
  if (isNew) return { found: 'none yet: the first sync finds its records by stamp and slug', capabilities };
  const ageMs = await stateAgeMs(settings.stateFile, world);
  const parts = [
    counted(state.records.size, 'record'),
    ...(ageMs === undefined ? [] : [`saved ${ago(ageMs)}`]),
    ...(open.length === 0 ? [] : [`${counted(open.length, 'write')} with an unknown outcome`]),
  ];
  return { found: parts.join(', '), capabilities };
}
