import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

export const ROOT = join(import.meta.dirname, '../../..');

export interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly description: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

// The file is ours; what is read of it is checked by the tests.
export const action = parse(await readFile(join(ROOT, 'action.yml'), 'utf8')) as Action;

export interface Job {
  /** The checkout, where the files of the runner lie too. */
  readonly folder: string;
  readonly event: 'pull_request' | 'push' | 'schedule';
  readonly payload: object;
  readonly inputs: Readonly<Record<string, string>>;
  readonly token: string;
  readonly apiUrl: string;
  readonly commit: string;
  /** `main`, `7/merge` */
  readonly ref: string;
}

export interface Ended {
  readonly exit: number | null;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Does with action.yml what a runner does: inputs into expressions, `run` steps in bash, values out of files. */
export async function runJob(job: Job): Promise<Ended> {
  const { folder } = job;
  const files = {
    output: join(folder, '.out'),
    summary: join(folder, '.sum'),
    event: join(folder, '.event'),
  };
  await Promise.all([writeFile(files.output, ''), writeFile(files.summary, '')]);
  await writeFile(files.event, JSON.stringify(job.payload));
  const values = new Map<string, string>(
    Object.entries(action.inputs).map(([name, { default: text }]) => [
      name,
      job.inputs[name] ?? text?.replace('${{ github.token }}', job.token) ?? '',
    ]),
  );
  const expand = (text: string): string =>
    text
      .replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => values.get(name) ?? 'NO SUCH INPUT')
      .replaceAll('${{ github.action_path }}', ROOT);
  let log = '';
  let exit: number | null = 0;
  for (const step of action.runs.steps.filter(({ run }) => run !== undefined)) {
    const child = spawn(
      step.shell ?? '',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', expressionless(step.run ?? '')],
      {
        cwd: folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          GITHUB_WORKSPACE: folder,
          GITHUB_REPOSITORY: 'acme/docs',
          GITHUB_SHA: job.commit,
          GITHUB_RUN_ID: '41',
          GITHUB_REF_TYPE: 'branch',
          GITHUB_REF_NAME: job.ref,
          GITHUB_API_URL: job.apiUrl,
          GITHUB_EVENT_NAME: job.event,
          GITHUB_EVENT_PATH: files.event,
          GITHUB_OUTPUT: files.output,
          GITHUB_STEP_SUMMARY: files.summary,
          RUNNER_TEMP: folder,
          ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, expand(text)])),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child.stdout.on('data', (part) => (log += String(part)));
    child.stderr.on('data', (part) => (log += String(part)));
    exit = await new Promise((done) => child.on('close', done));
  }
  const outputs = Object.fromEntries(
    [...(await readFile(files.output, 'utf8')).matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(
      ([, name = '', , value = '']) => [name, value],
    ),
  );
  return { exit, log, outputs, summary: await readFile(files.summary, 'utf8') };
}

/** A value that a runner put into the text of a step would be a command. */
function expressionless(run: string): string {
  if (run.includes('${{')) throw new Error(`test: an expression in a step: ${run}`);
  return run;
}
