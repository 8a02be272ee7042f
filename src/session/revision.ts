import { join, resolve } from 'node:path';
import type { Env, Files } from '../machine/machine.ts';
import type { Checkout, Relation, Revision } from '../model/revision.ts';
import { gitPlace } from './checkout.ts';

/** What a CI calls the commit and the branch that it runs for. */
const COMMIT = ['GITHUB_SHA', 'CI_COMMIT_SHA'];
const BRANCH = ['GITHUB_REF_NAME', 'CI_COMMIT_REF_NAME'];

interface Around {
  readonly env: Env;
  readonly files: Files;
}

/** What is checked out, as git's own folder tells it; where there is none or refs are kept in another way, as a CI says. */
export async function revisionOf(inside: string, { env, files }: Around): Promise<Revision | undefined> {
  const { commit = firstOf(COMMIT, env), branch = firstOf(BRANCH, env) } = await headIn(inside, files);
  if (commit === undefined) return undefined;
  return { commit, ...(branch === undefined ? {} : { branch }) };
}

/** Of the first of these variables that says something. */
export function firstOf(names: readonly string[], env: Env): string | undefined {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
}

/**
 * How the commit that is checked out stands to the one that the state was written from. git is asked only if they differ.
 * A shallow clone holds a part of the history, and another machine's commit may never have been fetched: then the dates tell.
 */
export async function checkoutBeside(
  inside: string,
  known: Revision | undefined,
  around: Around,
): Promise<Checkout> {
  const own = await revisionOf(inside, around);
  if (own === undefined) return { own, known, relation: known === undefined ? 'first' : 'untold' };
  if (known?.commit === own.commit) return { own: known, known, relation: 'same' };
  const atMs = await committedMs(own.commit, inside);
  const dated = { ...own, ...(atMs === undefined ? {} : { atMs }) };
  const relation = known === undefined ? 'first' : await relationOf(dated, known, inside);
  return { own: dated, known, relation };
}

/** What each run that sends files asks. */
export function checkoutOf(
  contentDir: string,
  around: Around,
): { readonly checkout: (known: Revision | undefined) => Promise<Checkout> } {
  return { checkout: (known) => checkoutBeside(contentDir, known, around) };
}

async function relationOf(own: Revision, known: Revision, inside: string): Promise<Relation> {
  const dates = datesOf(own, known);
  if (!(await answers(['cat-file', '-e', `${known.commit}^{commit}`], inside))) return dates;
  if (await answers(['merge-base', '--is-ancestor', own.commit, known.commit], inside)) return 'before';
  if (await answers(['merge-base', '--is-ancestor', known.commit, own.commit], inside)) return 'after';
  // Where the history ends early, two commits only seem to have nothing to do with each other.
  const shallow = await asked(['rev-parse', '--is-shallow-repository'], inside);
  return shallow?.trim() === 'false' ? 'beside' : dates;
}

function datesOf({ atMs: own }: Revision, { atMs: known }: Revision): Relation {
  if (own === undefined || known === undefined) return 'untold';
  return own < known ? 'dated-before' : 'dated-after';
}

async function committedMs(commit: string, inside: string): Promise<number | undefined> {
  const text = (await asked(['show', '-s', '--format=%ct', commit], inside))?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) * 1000 : undefined;
}

async function answers(args: readonly string[], cwd: string): Promise<boolean> {
  return (await asked(args, cwd)) !== undefined;
}

/** A partial clone would fetch what it has not; nothing is fetched for a question. */
async function asked(args: readonly string[], cwd: string): Promise<string | undefined> {
  const { runGit } = await import('../machine/git.ts');
  const { isOk, stdout } = await runGit(args, {
    cwd,
    env: { GIT_NO_LAZY_FETCH: '1' },
    timeoutMs: GIT_MS_MAX,
  });
  return isOk ? stdout : undefined;
}

const GIT_MS_MAX = 20_000;

async function headIn(
  inside: string,
  files: Files,
): Promise<{ readonly commit?: string; readonly branch?: string }> {
  const git = (await gitPlace(inside, files))?.git;
  if (git === undefined) return {};
  const head = (await files.readText(join(git, 'HEAD')))?.trim() ?? '';
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined) return commitIn(head);
  const common = (await files.readText(join(git, 'commondir')))?.trim() ?? '.';
  const shared = resolve(git, common);
  const packed = (await files.readText(join(shared, 'packed-refs'))) ?? '';
  const line = packed.split('\n').find((each) => each.endsWith(` ${ref}`));
  const found = commitIn((await files.readText(join(shared, ref)))?.trim() ?? line?.split(' ')[0] ?? '');
  return { ...found, ...(ref.startsWith('refs/heads/') ? { branch: ref.slice('refs/heads/'.length) } : {}) };
}

function commitIn(text: string): { readonly commit?: string } {
  return /^[0-9a-f]{40,64}$/.test(text) ? { commit: text } : {};
}
