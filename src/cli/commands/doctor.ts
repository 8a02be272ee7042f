import { HEADERS } from '../../contract/headers.ts';
import { addressFrom, apiKeyFor } from '../address.ts';
import { CliError } from '../cli-error.ts';
import { EXIT } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { JSON_FORMAT } from '../json.ts';
import { lasting } from '../numbers.ts';
import { tableLines } from '../read-tool.ts';
import { screen as screenOf } from '../screen.ts';
import { loadSettings, shown } from '../settings.ts';
import type { World } from '../world.ts';

type Standing = 'ok' | 'warning' | 'failed';

interface Finding {
  readonly check: string;
  readonly standing: Standing;
  readonly found: string;
  /** What to do about it. */
  readonly help?: string;
}

const SKEW_MAX_MS = 60_000;
const WATCHES_MIN = 8192;
const LISTS = ['articles', 'categories', 'tags'] as const;

/** `kbsync doctor`: looks at everything a run needs, and asks with reads only. Exit 1 when a run would fail. */
export async function doctor(flags: CommonFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const findings = [...(await watchLimit(world)), ...(await setup(flags, world))];
  const failed = findings.filter(({ standing }) => standing === 'failed').length;
  const warnings = findings.filter(({ standing }) => standing === 'warning').length;
  const exit = failed > 0 ? EXIT.failed : EXIT.done;
  if (screen.isJson) {
    screen.document({ format: JSON_FORMAT, checks: findings, summary: { failed, warnings } });
    return exit;
  }
  for (const { check, standing, found, help } of findings) {
    for (const line of tableLines([[standing.padEnd(7), check.padEnd(12), found]])) screen.answer(line);
    if (help !== undefined) screen.answer(`         = help: ${help}`);
  }
  screen.answer(failed + warnings === 0 ? 'nothing wrong' : `${failed} failed, ${warnings} warnings`);
  return exit;
}

async function watchLimit(world: World): Promise<readonly Finding[]> {
  const text = await world.files.readText('/proc/sys/fs/inotify/max_user_watches').catch(() => undefined);
  if (text === undefined) return [];
  const limit = Number(text);
  const found = `${limit} files can be watched`;
  return limit >= WATCHES_MIN
    ? [{ check: 'watching', standing: 'ok', found }]
    : [{ check: 'watching', standing: 'warning', found, help: 'raise fs.inotify.max_user_watches' }];
}

/** Each step needs the one before it; the first that fails is the last that is told. */
async function setup(flags: CommonFlags, world: World): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
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
      ...(hasContent ? {} : { help: 'name the folder that holds the languages: --content docs' }),
    });
    check = 'address';
    if (settings.baseUrl === undefined)
      throw new CliError('usage', 'there is no address', { help: 'kbsync init' });
    const address = addressFrom(settings.baseUrl, settings.baseUrlSource);
    findings.push({ check, standing: 'ok', found: `${address.href} (${settings.baseUrlSource})` });
    check = 'key';
    const apiKey = apiKeyFor(address, world.env);
    const isBound = (world.env['KBSYNC_ORIGIN'] ?? '') !== '';
    findings.push({ check, standing: 'ok', found: isBound ? 'set, bound by KBSYNC_ORIGIN' : 'set' });
    check = 'service';
    findings.push(...(await service(address, apiKey, world)));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const help = error.help === undefined ? {} : { help: error.help };
    findings.push({ check, standing: 'failed', found: error.message, ...help });
  }
  return findings;
}

/** Three lists, as every sync reads them. */
async function service(
  address: { readonly href: string; readonly origin: string },
  apiKey: string,
  world: World,
): Promise<readonly Finding[]> {
  const send = await world.connect(address.origin);
  const findings: Finding[] = [];
  try {
    let headers = new Headers();
    for (const name of LISTS) {
      const startedMs = world.clock.now();
      const url = `${address.href}/api/v2/${name}`;
      const response = await send(new Request(url, { headers: { authorization: `Bearer ${apiKey}` } }));
      await response.arrayBuffer();
      const took = lasting(world.clock.now() - startedMs);
      const found = `answered ${response.status} in ${took}`;
      findings.push({
        check: name,
        standing: response.ok ? 'ok' : 'failed',
        found,
        ...helpFor(response.status),
      });
      ({ headers } = response);
      if (!response.ok) return findings;
    }
    findings.push(...learnt(headers, world.clock.now()));
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    findings.push({ check: 'service', standing: 'failed', found, help: 'check `baseUrl` and the network' });
  } finally {
    await send.close();
  }
  return findings;
}

function helpFor(status: number): { readonly help?: string } {
  if (status === 401 || status === 403)
    return { help: 'check KBSYNC_API_KEY: is it the key of this knowledge base?' };
  if (status >= 300 && status < 400)
    return { help: 'set `baseUrl` to the address that answers without a redirect' };
  if (status === 404) return { help: 'is `baseUrl` the address of the knowledge base, without /api/v2?' };
  return {};
}

/** What the headers of a list say of the service. */
function learnt(headers: Headers, nowMs: number): readonly Finding[] {
  const date = Date.parse(headers.get('date') ?? '');
  const skewMs = Math.abs(nowMs - date);
  const tokens = headers.get(HEADERS.capabilities);
  const limits = [...headers].filter(([name]) => /^(x-)?ratelimit/i.test(name));
  return [
    ...(Number.isNaN(date)
      ? []
      : skewMs <= SKEW_MAX_MS
        ? [{ check: 'clock', standing: 'ok' as const, found: 'agrees with the service' }]
        : [
            {
              check: 'clock',
              standing: 'warning' as const,
              found: `${lasting(skewMs)} away from the service's`,
              help: 'set this machine’s clock; dates of edits are compared',
            },
          ]),
    {
      check: 'capabilities',
      standing: 'ok',
      found: tokens ?? 'the service names none; a sync learns them by looking, see docs/gaps.md',
    },
    {
      check: 'rate limit',
      standing: 'ok',
      found:
        limits.length === 0 ? 'none named' : limits.map(([name, value]) => `${name} ${value}`).join(', '),
    },
  ];
}
