import { relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { git, startOf } from '../../machine/git.ts';
import type { Finding } from '../print/problems.ts';
import type { World } from '../world.ts';

export interface Change {
  /** What it starts from: a commit, as git names it. */
  readonly since: string;
  readonly contentDir: string;
  readonly world: Pick<World, 'cwd'>;
}

/** Of more files than this, git is not asked one by one: all of their lines count. */
const FILES_MAX = 200;

/**
 * The findings, each marked if it is at a line that the change does not touch. A new file is new in every line. Where git cannot tell
 * (no repository, no such commit), none is marked.
 */
export async function markedByChange(
  findings: readonly Finding[],
  { since, contentDir, world }: Change,
): Promise<readonly Finding[]> {
  const files = [...new Set(findings.map(({ at }) => at.file))];
  if (files.length > FILES_MAX) return findings;
  const { top, fork } = await startOf(since, contentDir);
  if (top === undefined || fork === undefined) return findings;
  const isTouched = new Map<string, (line: number) => boolean>();
  for (const file of files) {
    const path = relative(top, resolve(world.cwd, file)).split(sep).join('/');
    isTouched.set(file, await linesOf(path, { fork, top }));
  }
  return findings.map((finding) =>
    isTouched.get(finding.at.file)?.(finding.at.line) === false ? { ...finding, isUntouched: true } : finding,
  );
}

/** @see https://git-scm.com/docs/diff-generate-patch for `@@ -1,2 +3,4 @@`; without a count it is 1 */
const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm;

async function linesOf(
  path: string,
  { fork, top }: { readonly fork: string; readonly top: string },
): Promise<(line: number) => boolean> {
  const isKnown = (await git(['cat-file', '-e', `${fork}:${path}`], top)) !== undefined;
  if (!isKnown) return () => true;
  const args = ['diff', '--unified=0', '--no-color', '--no-ext-diff', '--no-renames', fork, '--'];
  const diff = await git([...args, `:(literal)${path}`], top);
  if (diff === undefined) return () => true;
  const hunks = [...diff.matchAll(HUNK)].map(([, start = '', count = '1']) => {
    const first = Number(start);
    // Where lines were only taken out, git names the line before them; the one behind them has a new neighbour.
    return Number(count) === 0 ? [first, first + 1] : [first, first + Number(count) - 1];
  });
  return (line) => hunks.some(([first = 0, last = 0]) => line >= first && line <= last);
}

/** Where the pull request of this job on GitHub starts; undefined: this is none. */
export async function baseOfRequest({
  env,
  files,
}: Pick<World, 'env' | 'files'>): Promise<string | undefined> {
  const path = env['GITHUB_EVENT_PATH'];
  const text = path === undefined ? undefined : await files.readText(path).catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return EVENT.safeParse(JSON.parse(text)).data?.pull_request.base.sha;
  } catch {
    return undefined;
  }
}

/** @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request */
const EVENT = z.object({ pull_request: z.object({ base: z.object({ sha: z.string() }) }) });
