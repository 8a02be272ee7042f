import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { editOnSite, stepsOf, withoutTimes } from '../docs/transcript.ts';
import { gitHubStandIn, TOKEN } from '../forge/support/forge-stand-in.ts';
import { gitServer } from '../support/git-server.ts';
import { serve } from '../support/served.ts';
import { gitHub } from './support/git-hub.ts';
import { ROOT, runJob, type Ended, type Job } from './support/runner.ts';

const GUIDES = join(ROOT, 'docs/guides');
const PAGE = join(GUIDES, 'action.md');
const SITE = 'https://help.acme.test';
const GIT = 'https://git.test/';

interface Workflow {
  readonly on: Readonly<Record<string, { readonly branches?: readonly string[] } | null>>;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { uses?: string; with?: Readonly<Record<string, string>> }[] }>
  >;
}

/**
 * The page's own repository, pushed over HTTP to a git server; each job of the workflows that the guides give, in a checkout of its own, with
 * the action as it is, and the state carried from job to job as the cache carries it.
 */
test('the guide of the action shows what its jobs write, both ways', async () => {
  const page = await readFile(PAGE, 'utf8');
  const stage = await openStage();
  const seen: string[] = [];
  const played: string[] = [];
  let written = '';
  let rest = page;
  const show = (head: string, shown: string, printed: string): void => {
    seen.push(`${head}\n${withoutTimes(shown)}`);
    played.push(`${head}\n${withoutTimes(printed)}`);
    const at = rest.indexOf(head) + head.length;
    const end = at + rest.slice(at).indexOf(shown);
    written += rest.slice(0, end) + (withoutTimes(shown) === withoutTimes(printed) ? shown : printed);
    rest = rest.slice(end + shown.length);
  };
  try {
    for (const step of stepsOf(page)) {
      if (step.type === 'file') await stage.write(step.path, step.text);
      else if (step.type === 'site') await stage.edit(step);
      else if (step.type === 'opened') stage.open(step.branch);
      else if (step.type === 'job') await stage.job(step.event);
      else if (step.type === 'console')
        show(`$ ${step.command}\n`, step.output, await stage.run(step.command));
      else if (step.type === 'shown') {
        const head = `<!-- shown: ${step.what} -->`;
        const fence = /^\n\n```\w*\n/.exec(rest.slice(rest.indexOf(head) + head.length))?.[0] ?? '';
        show(`${head}${fence}`, step.output, stage.shown(step.what));
      }
    }
    expect(stage.left()).toEqual({ requests: ['merged', 'merged', 'closed'], branches: ['faster', 'main'] });
  } finally {
    await stage.close();
  }
  const isWritten = process.env['KBSYNC_WRITE_GOLDENS'] === '1';
  if (isWritten) await writeFile(PAGE, written + rest);
  expect(isWritten ? seen : played).toEqual(seen);
  expect(played.length).toBeGreaterThan(15);
});

/** The workflow that a guide gives for GitHub. */
async function workflowOf(name: string): Promise<Workflow> {
  const text = await readFile(join(GUIDES, `${name}.md`), 'utf8');
  const block = /^```yaml\n(name: [\s\S]*?)^```/m.exec(text)?.[1] ?? '';
  return parse(block) as Workflow;
}

async function openStage() {
  const [service, server, forge] = await Promise.all([serve(), gitServer(TOKEN), gitHub(TOKEN)]);
  const root = await mkdtemp(join(tmpdir(), 'kbsync-stage-'));
  const pulls = gitHubStandIn(server.bare, forge.url);
  forge.pulls = pulls;
  const folder = join(root, 'docs');
  const workflows = [await workflowOf('ci'), await workflowOf('editors')];
  let jobs = 0;
  let last: Ended | undefined;
  /** The remote's address, the key to it, and who commits: in the environment, as nothing of it is part of the page. */
  const settings: Readonly<Record<string, string>> = {
    [`url.${server.url}.insteadOf`]: GIT,
    [`http.${server.url}.extraHeader`]: `Authorization: Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`,
    'user.name': 'Ada',
    'user.email': 'ada@example.com',
    'commit.gpgSign': 'false',
  };
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(Object.keys(settings).length) };
  for (const [index, [name, value]] of Object.entries(settings).entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = name;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  // Not the call that waits: the git server is in this process.
  const bash = async (command: string, cwd: string): Promise<string> => {
    const child = spawn('bash', ['-c', command], {
      cwd,
      env: { ...process.env, ...environment, GIT_TERMINAL_PROMPT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (part) => (said += String(part)));
    child.stderr.on('data', (part) => (said += String(part)));
    const status = await new Promise((done) => child.on('close', done));
    if (status !== 0) throw new Error(`test: ${command}: ${said}`);
    return said;
  };
  await mkdir(folder);

  /** What actions/checkout and actions/cache do before the step, and the cache after it. */
  const ran = async (
    job: Omit<Job, 'folder' | 'token' | 'apiUrl' | 'inputs'>,
    inputs: Readonly<Record<string, string>>,
    fetched: string,
  ): Promise<Ended> => {
    const checkout = join(root, `job-${(jobs += 1)}`);
    await mkdir(checkout);
    const auth = settings[`http.${server.url}.extraHeader`] ?? '';
    await bash(
      `git init -q && git remote add origin ${server.url}acme/docs.git && git fetch -q --depth=1 origin ${fetched} &&
        git config http.${server.url}.extraHeader ${JSON.stringify(auth)} && git checkout -q -B ${job.ref.split('/')[0]} FETCH_HEAD`,
      checkout,
    );
    const cache = join(root, 'cache');
    await cp(cache, join(checkout, '.kbsync'), { recursive: true }).catch(() => undefined);
    const ended = await runJob({ ...job, folder: checkout, token: TOKEN, apiUrl: forge.url, inputs });
    if (ended.outputs['has-synced'] === 'true') {
      await rm(cache, { recursive: true, force: true });
      await cp(join(checkout, '.kbsync'), cache, { recursive: true });
    }
    for (const text of [ended.log, ended.summary, JSON.stringify(ended.outputs)])
      for (const secret of [service.key, TOKEN]) expect(text).not.toContain(secret);
    return ended;
  };

  /** The inputs of the job that the event starts, out of the page's own workflows. */
  const inputsFor = (event: string, hasSecrets: boolean): Readonly<Record<string, string>> => {
    // At night, that of editors is the one which the page is about.
    const started = workflows.findLast(({ on }) => event in on);
    const [job] = Object.values(started?.jobs ?? {});
    const step = job?.steps.find(({ uses }) => uses?.includes('/kbsync@'));
    const given = Object.entries(step?.with ?? {}).map(([name, text]) => [
      name,
      text
        .replace('${{ secrets.KBSYNC_API_KEY }}', hasSecrets ? service.key : '')
        .replace('https://help.example.com', service.url),
    ]);
    return { ...Object.fromEntries(given), 'base-url': service.url } as Record<string, string>;
  };

  return {
    write: async (path: string, text: string) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    },
    edit: (step: Parameters<typeof editOnSite>[0]) =>
      editOnSite(step, {
        key: service.key,
        fetch: (request) => {
          const { method, headers } = request;
          const url = request.url.replace(SITE, service.url);
          return request
            .text()
            .then((body) => fetch(url, { method, headers, ...(body === '' ? {} : { body }) }));
        },
      }),
    run: (command: string) => bash(command, folder),
    open: (branch: string) =>
      pulls.requests.push({
        number: pulls.requests.length + 1,
        from: branch,
        into: 'main',
        title: branch,
        body: '',
        state: 'open',
      }),
    job: async (words: string) => {
      const [event, ref = 'main'] = words.split(' ') as [Job['event'], string?];
      if (event !== 'pull_request') {
        const commit = server.git('rev-parse', ref);
        last = await ran({ event, payload: {}, commit, ref }, inputsFor(event, true), ref);
        return;
      }
      const isFork = ref === 'of';
      const branch = isFork ? 'main' : ref;
      const number = pulls.requests.find(({ from }) => from === branch)?.number ?? 99;
      // GitHub runs the job on what the merge would be.
      const tree = server.git('merge-tree', '--write-tree', 'main', branch).split('\n')[0] ?? '';
      const ident = ['-c', 'user.name=GitHub', '-c', 'user.email=noreply@github.com'];
      const parents = isFork ? ['-p', 'main'] : ['-p', 'main', '-p', branch];
      const commit = server.git(...ident, 'commit-tree', tree, ...parents, '-m', 'merge');
      server.git('update-ref', `refs/pull/${number}/merge`, commit);
      const head = { repo: { full_name: isFork ? 'somebody/docs' : 'acme/docs' } };
      const payload = { pull_request: { number, head, base: { sha: server.git('rev-parse', 'main') } } };
      last = await ran(
        { event, payload, commit, ref: `${number}/merge` },
        inputsFor(event, !isFork),
        `refs/pull/${number}/merge`,
      );
    },
    shown: (what: string): string => {
      const [kind = '', filter = ''] = what.split(' ');
      const request = pulls.requests.at(-1);
      const text = {
        summary: last?.summary,
        comment: forge.comments.at(-1)?.body,
        request: `${request?.title}\n\n${request?.body}`,
        log: last?.log
          .split('\n')
          .filter((line) => line.startsWith(filter))
          .join('\n'),
      }[kind];
      if (text === undefined) throw new Error(`test: nothing is shown of ${what}`);
      // The first line of a comment is one that GitHub does not show.
      return `${text
        .replaceAll(/^<!-- kbsync:.*-->\n/gm, '')
        .replaceAll(service.url, SITE)
        .replaceAll(new URL(service.url).host, new URL(SITE).host)
        .trim()}\n`;
    },
    left: () => ({
      requests: pulls.requests.map(({ state }) => state),
      branches: server.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n'),
    }),
    close: async () => {
      await Promise.all([service.close(), server.close(), forge.close()]);
      await rm(root, { recursive: true, force: true });
    },
  };
}
