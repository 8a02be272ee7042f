import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

interface Service {
  readonly url: string;
  readonly key: string;
  stop(): Promise<void>;
}
type StartService = (folder: string, options: { readonly languages: string }) => Promise<Service>;

const root = join(import.meta.dirname, '../../../scripts/openapi');
const made = join(root, 'made');

/** Why the tools cannot be had here; undefined: they are installed. Tests use no network, so they install nothing. */
function toolsMissing(): string | undefined {
  if (existsSync(join(root, 'node_modules/.bin/redocly'))) return undefined;
  return 'the tools that read OpenAPI are not installed: npm ci --prefix scripts/openapi';
}

const missing = toolsMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

/** One of the tools, in its folder; throws with what it said. */
async function tool(name: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const bin = join(root, 'node_modules/.bin', name);
  try {
    const { stdout, stderr } = await promisify(execFile)(bin, args, { cwd: root, env });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }; // of execFile
    throw new Error(`${name} ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
  }
}

describe.skipIf(missing !== undefined)('the document that a running service gives', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-openapi-'));
  let service: Service;
  beforeAll(async () => {
    const processes = new URL('../../../bench/processes.mjs', import.meta.url).href;
    const { startService } = (await import(processes)) as { readonly startService: StartService }; // plain JavaScript
    service = await startService(folder, { languages: 'en,fr' });
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made);
    const document = await (await fetch(`${service.url}/openapi.json`)).text();
    writeFileSync(join(made, 'openapi.json'), document);
    writeFileSync(join(made, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(made, { recursive: true, force: true });
  });

  test('has no error for redocly lint, and no warning', async () => {
    expect(await tool('redocly', 'lint', 'made/openapi.json', '--max-problems', '50')).not.toMatch(
      /\[\d+\] /,
    );
  });

  test('has no error and no warning for spectral', async () => {
    const args = ['made/openapi.json', '-r', 'made/spectral.yaml', '--fail-severity', 'warn'];
    expect(await tool('spectral', 'lint', ...args)).toContain(
      "No results with a severity of 'warn' or higher found",
    );
  });

  test('makes clients by which an article is made, edited, translated, listed and deleted', async () => {
    await tool('openapi-typescript', 'made/openapi.json', '-o', 'made/openapi.d.ts');
    await tool('openapi-ts', '-i', './made/openapi.json', '-o', 'made/hey-api');
    await tool('tsc', '-p', '.');
    for (const [program, said] of [
      ['life.js', 'openapi-fetch: lived\n'],
      ['life-of-hey-api.js', 'hey-api: lived\n'],
    ] as const) {
      const args = [join(made, 'js', program), service.url, service.key];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      expect(stdout).toBe(said);
    }
  });
});
