import { spawnSync } from 'node:child_process';
import type { FakeWorld, Service } from '../cli/support/fake-world.ts';
import type { LiveWorld, Running } from '../cli/support/live-world.ts';

/**
 * One step of a documentation page that is played as it stands: a file whose name stands in a line of its own above it,
 * a console block (`$ command`, then what it prints), or what a command that goes on prints later. What the page tells in prose
 * is marked by a comment that readers do not see: an edit on the site, a job of the forge, a branch for which somebody opens a pull
 * request, and what the block below it shows.
 */
type Step =
  | { readonly type: 'file'; readonly path: string; readonly text: string }
  | { readonly type: 'console'; readonly command: string; readonly output: string }
  | { readonly type: 'later'; readonly output: string }
  | { readonly type: 'site'; readonly article: string; readonly field: string; readonly value: string }
  | { readonly type: 'job'; readonly event: string }
  | { readonly type: 'opened'; readonly branch: string }
  | { readonly type: 'shown'; readonly what: string; readonly output: string };

const STEPS = new RegExp(
  [
    String.raw`^\`(?<path>[^\`\n]+)\`:\n\n\`\`\`\w*\n(?<text>[\s\S]*?)^\`\`\``,
    String.raw`^\`\`\`console\n(?<block>[\s\S]*?)^\`\`\``,
    String.raw`^\`\`\`later\n(?<later>[\s\S]*?)^\`\`\``,
    String.raw`^<!-- on the site, (?<article>\S+): (?<field>\w+) = (?<value>.*) -->$`,
    String.raw`^<!-- job: (?<event>.*) -->$`,
    String.raw`^<!-- opened: (?<branch>.*) -->$`,
    String.raw`^<!-- shown: (?<what>.*) -->\n\n\`\`\`\w*\n(?<output>[\s\S]*?)^\`\`\``,
  ].join('|'),
  'gm',
);

export function stepsOf(page: string): readonly Step[] {
  return [...page.matchAll(STEPS)].flatMap(({ groups = {} }): Step | readonly Step[] => {
    const { path, text = '', later, article, field = '', value = '', event, branch } = groups;
    if (path !== undefined) return { type: 'file', path, text };
    if (later !== undefined) return { type: 'later', output: later };
    if (article !== undefined) return { type: 'site', article, field, value };
    if (event !== undefined) return { type: 'job', event };
    if (branch !== undefined) return { type: 'opened', branch };
    const { what, output = '', block = '' } = groups;
    if (what !== undefined) return { type: 'shown', what, output };
    return block
      .split(/^\$ /m)
      .filter((part) => part !== '')
      .map((part) => {
        const [command = '', ...lines] = part.split('\n');
        return { type: 'console', command, output: lines.join('\n') };
      });
  });
}

/** Times differ from run to run; so do the blanks that fill a column of them. */
export function withoutTimes(text: string): string {
  return text
    .replaceAll(/\d\d:\d\d:\d\d/g, '10:42:17')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d-]+Z/g, '2026-11-21T05-17-03-120Z')
    .replaceAll(/\b\d+\.\d s\b/g, '0.1 s')
    .replaceAll(/ +\d+ ms/g, ' 40 ms')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4321')
    .replaceAll(/state from .*$/gm, 'state from 5 min ago')
    .replaceAll(/commit [0-9a-f]{7}, \d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'commit 1a2b3c4, 2026-11-21 05:17 UTC')
    .replaceAll(/saved (just now|.* ago)/g, 'saved 5 min ago')
    .replaceAll(/\d+ files can be watched/g, '524288 files can be watched')
    .replaceAll(/\d+\.\d+\.\d+, needs/g, '22.14.0, needs');
}

export interface Played {
  readonly command: string;
  readonly shown: string;
  readonly printed: string;
}

/** Plays a page whose commands all end; `npm` is left out, because it would ask a registry. */
export async function play(page: string, world: FakeWorld): Promise<readonly Played[]> {
  const played: Played[] = [];
  world.wrap = (send) => async (request) => {
    const response = await send(request);
    response.headers.set('date', new Date().toUTCString()); // as every HTTP server does
    return response;
  };
  for (const step of stepsOf(page)) {
    if (step.type === 'file') await world.write(step.path, step.text);
    else if (step.type === 'site') await editOnSite(step, world.service);
    else if (step.type === 'console' && !/^(npm|export) /.test(step.command)) {
      world.advance(1000); // no two runs at one time
      const printed = await printedBy(step.command, world);
      played.push({
        command: step.command,
        shown: withoutTimes(step.output),
        printed: withoutTimes(printed),
      });
    }
  }
  return played;
}

async function printedBy(command: string, world: FakeWorld): Promise<string> {
  const own = /^(?:npx )?kbsync (.*?)(?:; echo \$\?)?$/.exec(command);
  if (own === null) {
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: world.cwd, encoding: 'utf8' });
    return `${stdout}${stderr}`;
  }
  const [argv = '', file] = (own[1] ?? '').split(' > ');
  const { stdout, stderr, exit } = await world.run(...argv.split(' '));
  if (file !== undefined) await world.write(file, stdout);
  // The first line on stderr says only what is run, the rest is for people too.
  const beside = stderr.replace(/^kbsync \S+ \w+ .*\n/, '');
  const code = command.endsWith('; echo $?') ? `${exit}\n` : '';
  return `${file === undefined ? stdout : ''}${beside}${code}`;
}

export async function editOnSite(
  { article, field, value }: Extract<Step, { type: 'site' }>,
  service: Pick<Service, 'key' | 'fetch'>,
): Promise<void> {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await service.fetch(new Request(`https://help.acme.test/api/v2/${path}`, init));
    if (!response.ok) throw new Error(`test: ${method} ${path}: ${await response.text()}`);
    return response.json();
  };
  const { data: list } = (await ask('GET', 'articles')) as { data: readonly { id: string; name: string }[] };
  const id = list.find(({ name }) => name === article.replaceAll('_', ' '))?.id;
  if (id === undefined) throw new Error(`test: the site has no article ${article}`);
  const { data } = (await ask('GET', `articles/${id}`)) as { data: Record<string, unknown> };
  const { name: title, slug, excerpt, order_by: ordering, status, content } = data;
  const refs = (links: unknown, key: string): unknown =>
    (links as readonly Record<string, unknown>[]).map((link) => ({ value: link[key] }));
  const categories = refs(data['article_relationships'], 'category_id');
  const tags = refs(data['tags_relationship'], 'tag_id');
  const body = { title, slug, excerpt, ordering, status, content, categories, tags, lang: 'en' };
  await ask('POST', `articles/${id}`, { ...body, [field]: value });
}

/** Plays a page whose commands go on until Ctrl-C: each line that it shows must come, in the page's order. */
export async function playLive(page: string, world: LiveWorld): Promise<readonly string[]> {
  let running: Running | undefined;
  const seen: string[] = [];
  let from = 0;
  for (const step of stepsOf(page)) {
    if (step.type === 'file') await world.write(step.path, step.text);
    else if (step.type === 'console' && /^(npx )?kbsync /.test(step.command)) {
      await running?.interrupt();
      from = 0;
      const argv = step.command.replace(/^(npx )?kbsync /, '').split(' ');
      running = world.start(...argv, ...(argv[0] === 'dev' ? ['--port', '0', '--no-open'] : []));
    }
    if (step.type !== 'console' && step.type !== 'later') continue;
    for (const line of step.output.split('\n').filter((one) => one !== '')) {
      const wanted = withoutTimes(line);
      let at = -1;
      const start = from;
      await running?.until((stdout) => {
        at = withoutTimes(stdout).indexOf(wanted, start);
        return at >= 0;
      });
      from = at + wanted.length;
      seen.push(line);
    }
  }
  await running?.interrupt();
  return seen;
}
