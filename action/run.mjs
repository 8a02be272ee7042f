// The step of action.yml: runs kbsync, then tells GitHub in outputs, in the job summary and in one comment what it said.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { keepComment } from './comment.mjs';

const { env } = process;
const input = (name) => env[`INPUT_${name}`]?.trim() ?? '';
const SUMMARY_BYTES_MAX = 1_000_000;
const PREVIEWED_MAX = 50;
const COMMENT_CHARS_MAX = 65_536;
const EXIT_WORDS = { 1: 'failed', 2: 'changes', 3: 'conflicts', 4: 'refused', 5: 'partly' };
/** States of a proposal, in words. */
const PROPOSED = {
  opened: 'a pull request was opened',
  updated: 'the pull request was updated',
  unchanged: 'the pull request has these edits already',
  closed: 'nothing is left, so the pull request was closed',
  none: 'nothing to bring in',
  declined: 'somebody closed the pull request with these edits, so it stays closed',
};

const event = await eventOf();
/** The check before a plan annotates the same files: each line once, as the runner shows ten of a kind. */
const annotated = new Set();
/** What ended a command: the page of the run shows annotations, its log must be opened. */
const failures = [];
const isPullRequest = event.pull_request !== undefined;
const key = input('API_KEY') || env.KBSYNC_API_KEY || '';
process.exitCode = await run(commandOf());

/** A fork has no secrets: its files are checked, and nothing fails for missing rights. */
function commandOf() {
  const wanted = input('COMMAND') || 'auto';
  if (!['auto', 'check', 'plan', 'sync', 'pull'].includes(wanted)) {
    fail(`the input \`command\` is ${wanted}; it takes auto, check, plan, sync or pull`);
  }
  const command = wanted === 'auto' ? (isPullRequest ? 'plan' : 'sync') : wanted;
  if (command === 'plan' && isPullRequest && key === '') {
    say('notice', 'there is no key here (a pull request of a fork has none), so only the files are checked');
    return 'check';
  }
  return command;
}

async function run(command) {
  if (command === 'pull') return pull();
  if (command === 'sync') return finish(command, await json('sync', [...setup(), ...deletes(), '--yes']));
  const checked = await json('check', setup());
  const seen = await preview(command);
  if (command === 'check' || checked.exit !== 0) {
    await summarise((failures.length > 0 ? failedMarkdown('check') : checkMarkdown(checked.document)) + seen);
    return finish('check', checked);
  }
  const folder = await mkdtemp(join(env.RUNNER_TEMP || tmpdir(), 'kbsync-'));
  const files = { json: join(folder, 'plan.json'), html: join(folder, 'plan.html') };
  const args = [...setup(), ...deletes(), '--exit-code', '--out', files.json, '--html', files.html];
  const { exit, stdout } = await kbsync(['plan', ...args, '--markdown']);
  const saved = existsSync(files.json) ? JSON.parse(await readFile(files.json, 'utf8')) : {};
  // Without a saved plan the command has said on stderr why.
  const document = saved;
  await summarise((stdout === '' ? failedMarkdown('plan') : stdout) + seen);
  if (stdout !== '' && isPullRequest && input('COMMENT') !== 'false')
    await comment(fitting(stdout, seen), exit);
  if (existsSync(files.html)) await output('plan-html', files.html);
  else await rm(folder, { recursive: true, force: true });
  return finish('plan', { exit, document });
}

/** The pages of a pull request as a folder, which a later step uploads; answers what the comment says of it. */
async function preview(command) {
  if (input('PREVIEW') !== 'true' || !isPullRequest) return '';
  // The pages would be somebody else's words under the name of this repository.
  if (event.pull_request.head?.repo?.full_name !== env.GITHUB_REPOSITORY) {
    say(
      'notice',
      'no preview: the pull request is of a fork, and its pages would stand under the name of this repository',
    );
    return '';
  }
  const out = join(await mkdtemp(join(env.RUNNER_TEMP || tmpdir(), 'kbsync-preview-')), 'site');
  const content = input('CONTENT') === '' ? [] : ['--content', input('CONTENT')];
  const config = input('CONFIG') === '' ? [] : ['--config', input('CONFIG')];
  const base = event.pull_request.base?.sha ?? '';
  const since = isHere(base) ? ['--changed-since', base] : [];
  if (since.length === 0) {
    say(
      'notice',
      'the preview marks no changed article: check out with `fetch-depth: 0`, then git knows the base',
    );
  }
  const before = failures.length;
  const { document } = await json('build', [...content, ...config, '--out', out, '--drafts', ...since]);
  if (!existsSync(join(out, 'index.html'))) {
    // What stops the preview stops no plan.
    failures.splice(before);
    say('warning', `there is no preview: kbsync build wrote no pages (${command} goes on)`);
    return '';
  }
  await output('preview', out);
  return previewMarkdown(document);
}

/** GitHub refuses a longer comment, and then nobody would see the plan: the list of pages gives way, then all of the preview. */
function fitting(plan, seen) {
  const short = seen.split('\n').slice(0, 2).join('\n');
  return [`${plan}${seen}`, `${plan}${short}\n`].find((text) => text.length <= COMMENT_CHARS_MAX) ?? plan;
}

/** A clone of one commit does not know the base of the pull request. */
function isHere(commit) {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return false;
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Edits of the site as one pull request. What a fork's files say is never pulled into, and nothing fails for missing rights. */
async function pull() {
  const why = isPullRequest
    ? '`command: pull` does nothing on a pull request, which may come from a fork'
    : 'there is no key here (a fork has none), so nothing is pulled';
  if (isPullRequest || key === '') {
    say('notice', why);
    return finish('pull', { exit: 0, document: {} });
  }
  const branch = input('BRANCH') === '' ? [] : ['--branch', input('BRANCH')];
  const token = input('GITHUB_TOKEN');
  const args = ['pull', ...setup(), '--propose', ...branch, '--json'];
  const { exit, stdout } = await kbsync(args, token === '' ? {} : { GITHUB_TOKEN: token });
  const document = stdout.trim() === '' ? {} : JSON.parse(stdout);
  await summarise(document.proposal === undefined ? failedMarkdown('pull') : pullMarkdown(document));
  await output('pull-request', document.proposal?.url ?? '');
  return finish('pull', { exit, document });
}

async function finish(command, { exit, document }) {
  const summary = document.summary ?? {};
  const count = (one, other) => summary[one] ?? summary[other] ?? 0;
  const counts = {
    create: count('create', 'created'),
    update: count('update', 'updated'),
    delete: count('delete', 'deleted'),
    unchanged: count('unchanged'),
    conflict: count('conflict'),
    drift: count('drift'),
    problem: document.problems?.length ?? 0,
  };
  for (const [name, value] of Object.entries(counts)) await output(name, String(value));
  await output('changed', String(counts.create + counts.update + counts.delete > 0));
  await output('exit-code', String(exit));
  await output('summary', JSON.stringify(summary));
  await output('has-synced', String(command === 'sync'));
  if (command === 'sync') {
    await summarise(failures.length > 0 ? failedMarkdown('sync') : syncMarkdown(document, counts));
  }
  const word = EXIT_WORDS[exit];
  const failOn = (input('FAIL_ON') || 'failed,refused,conflicts,partly').split(',').map((one) => one.trim());
  return exit === 0 || (word !== undefined && !failOn.includes(word)) ? 0 : exit;
}

/** Files, address and environment, as flags; values are arguments of their own and never part of a shell line. */
function setup() {
  const flags = { CONTENT: '--content', BASE_URL: '--base-url', CONFIG: '--config', ENVIRONMENT: '--env' };
  return Object.entries(flags).flatMap(([name, flag]) => (input(name) === '' ? [] : [flag, input(name)]));
}

function deletes() {
  const most = input('MAX_DELETE');
  return [...(input('PRUNE') === 'true' ? ['--prune'] : []), ...(most === '' ? [] : ['--max-delete', most])];
}

async function json(command, args) {
  const { exit, stdout } = await kbsync([command, ...args, '--json']);
  return { exit, document: stdout.trim() === '' ? {} : JSON.parse(stdout) };
}

/** Resolves when the process has ended; its stderr, annotations among it, goes to the log as it comes. */
function kbsync(args, secrets = {}) {
  const own = resolve('node_modules/.bin/kbsync');
  const shipped = join(env.KBSYNC_ACTION_PATH ?? '.', 'dist/cli/bin.js');
  const bin = input('BIN') || (existsSync(own) ? own : shipped);
  if (!existsSync(bin))
    fail(`there is no ${bin}; run \`npm ci\` before this step, with kbsync in package.json`);
  const origin = input('ORIGIN') || env.KBSYNC_ORIGIN;
  const child = spawn(
    bin.endsWith('.js') ? process.execPath : bin,
    bin.endsWith('.js') ? [bin, ...args] : args,
    {
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('INPUT_'))),
        ...secrets,
        ...(key === '' ? {} : { KBSYNC_API_KEY: key }),
        ...(origin === undefined || origin === '' ? {} : { KBSYNC_ORIGIN: origin }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    if (annotated.has(line)) return;
    if (/^::(?:error|warning)/.test(line)) annotated.add(line);
    console.error(line);
    const failure = /^error\[[a-z-]+\]: (.*)/.exec(line)?.[1];
    if (failure === undefined) return;
    failures.push(failure);
    say('error', failure);
  });
  const parts = [];
  child.stdout.on('data', (part) => parts.push(part));
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => done({ exit: code ?? 1, stdout: Buffer.concat(parts).toString('utf8') }));
  });
}

async function comment(body, exit) {
  try {
    const done = await keepComment({
      api: env.GITHUB_API_URL || 'https://api.github.com',
      token: input('GITHUB_TOKEN'),
      repository: env.GITHUB_REPOSITORY ?? '',
      number: event.pull_request.number,
      body,
      isQuiet: exit === 0,
    });
    console.error(`comment: ${done}`);
  } catch (error) {
    say('warning', `the comment could not be written (${error.message}); the plan is in the job summary`);
  }
}

function previewMarkdown({ pages = 0, changed = [], errors = 0 }) {
  const run = `${env.GITHUB_SERVER_URL || 'https://github.com'}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`;
  const host = input('PREVIEW_URL').replace(/\/+$/, '');
  const listed = changed.slice(0, PREVIEWED_MAX).map(({ title, path }) => {
    const file = encodeURI(path).replaceAll(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
    return host === ''
      ? `- ${name(title)}: ${code(`${path.slice(1)}/index.html`)}`
      : `- [${name(title)}](${host}${file}/)`;
  });
  const rest = changed.length - listed.length;
  const where =
    host === ''
      ? `the artifact \`kbsync-preview\` of [this run](${run}#artifacts)`
      : `[${host}](${host}/), and the artifact of [this run](${run}#artifacts)`;
  return [
    '',
    `**Preview:** ${counted(pages, 'page')}, drafts among them, in ${where}.${errors > 0 ? ' Files with errors are not in it.' : ''}`,
    ...(listed.length === 0 ? [] : ['', ...listed]),
    ...(rest > 0 ? [`- … ${rest} more`] : []),
    '',
  ].join('\n');
}

function failedMarkdown(command) {
  return [`### kbsync ${command}: failed`, '', ...failures.map((text) => `**${cell(text)}**`), ''].join('\n');
}

function counted(value, one) {
  return `${value} ${one}${value === 1 ? '' : 's'}`;
}

function checkMarkdown({ problems = [], summary = {} }) {
  if (problems.length === 0) return `### kbsync check\n\n${summary.files ?? 0} files, nothing wrong\n`;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return [
    `### kbsync check: ${counted(errors, 'error')}, ${counted(problems.length - errors, 'warning')}`,
    '',
    ...problemTable(problems),
    '',
  ].join('\n');
}

function problemTable(problems) {
  const rows = problems.slice(0, 200).map((problem) => {
    const { severity, code, file, line, column, message } = problem;
    return `| ${severity} | ${cell(`${file}:${line}:${column}`)} | ${code} | ${cell(message)} |`;
  });
  const rest = problems.length - rows.length;
  return [
    '| | where | code | what |',
    '|---|---|---|---|',
    ...rows,
    ...(rest === 0 ? [] : ['', `${rest} more: \`kbsync check\` lists all.`]),
  ];
}

/** What somebody has to settle, with the command that does. */
function openLines(document) {
  const { conflicts = [], drift = [], refusals = [] } = document;
  const line = (word, { key, fields }) => {
    const names = fields.map(({ field }) => field).join(', ');
    return `- ${word} ${code(key)}: ${names}. Settle: ${code(`kbsync resolve ${key} --local`)} or ${code('--remote')}`;
  };
  return [
    ...refusals.map(
      ({ message, flag }) => `- refused: ${cell(message)}${flag === undefined ? '' : ` (${code(flag)})`}`,
    ),
    ...conflicts.slice(0, 100).map((one) => line('conflict', one)),
    ...drift.slice(0, 100).map((one) => line('edited on the site', one)),
  ];
}

function syncMarkdown(document, counts) {
  const { results = [], problems = [], requests = 0 } = document;
  const failed = results.filter(({ outcome }) => outcome !== 'done');
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return [
    `### kbsync sync: ${counts.create} created, ${counts.update} updated, ${counts.delete} deleted`,
    '',
    `${counts.unchanged} unchanged, ${counts.conflict} in conflict, ${counts.drift} edited on the site, ${requests} requests.`,
    ...(hasErrors ? ['', errorsSay(requests), '', ...problemTable(problems), ''] : []),
    '',
    ...openLines(document),
    ...failed.slice(0, 100).map((one) => `- ${code(one.key)} ${one.outcome}: ${cell(one.message ?? '')}`),
    '',
  ].join('\n');
}

function pullMarkdown({ proposal, records = [], incomplete = [] }) {
  const open = records.filter(({ action }) => action === 'left');
  return [
    `### kbsync pull: ${PROPOSED[proposal.state]}`,
    '',
    ...(proposal.url === undefined ? [] : [proposal.url, '']),
    ...open
      .slice(0, 100)
      .map((one) => `- by hand: ${code(one.file ?? `${one.kind} ${one.id}`)} ${cell(one.why ?? '')}`),
    ...incomplete.map((text) => `- not read: ${cell(text)}`),
    '',
  ].join('\n');
}

/** A run that only broken files were for stops before its first request. */
function errorsSay(requests) {
  if (requests === 0) return 'Nothing was sent, because files have errors:';
  return 'Files have errors. Their records stay as they are until the errors are fixed:';
}

function code(text) {
  return `\`${text.replaceAll(/[`\s]+/g, ' ')}\``;
}

/** A title calls nobody into the conversation. */
function name(title) {
  return cell(title).replaceAll('@', '@\u200b');
}

function cell(text) {
  return text.replaceAll(/[\\`*_|<>[\]]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
}

async function summarise(markdown) {
  const file = env.GITHUB_STEP_SUMMARY;
  if (input('JOB_SUMMARY') === 'false' || file === undefined || markdown === '') return;
  const isLong = Buffer.byteLength(markdown) > SUMMARY_BYTES_MAX;
  const text = isLong
    ? `${markdown.slice(0, SUMMARY_BYTES_MAX / 4)}\n\ncut here: too long for GitHub\n`
    : markdown;
  await appendFile(file, `${text.trimEnd()}\n`);
}

/** Values may hold lines; the mark that ends them cannot be known to who wrote them. */
async function output(name, value) {
  const mark = `end-${randomUUID()}`;
  if (env.GITHUB_OUTPUT) await appendFile(env.GITHUB_OUTPUT, `${name}<<${mark}\n${value}\n${mark}\n`);
}

async function eventOf() {
  const path = env.GITHUB_EVENT_PATH;
  return path === undefined || !existsSync(path) ? {} : JSON.parse(await readFile(path, 'utf8'));
}

function say(level, text) {
  console.log(`::${level}::${text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}`);
}

function fail(text) {
  say('error', text);
  process.exit(64);
}
