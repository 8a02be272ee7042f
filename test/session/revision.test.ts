import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realFiles } from '../../src/machine/machine.ts';
import type { Revision } from '../../src/model/revision.ts';
import { checkoutBeside, revisionOf } from '../../src/session/revision.ts';

/** `one`, `two` and `three` on main, an hour apart; `side` grew out of `one` between `two` and `three`. */
let folder: string;
let whole: string;
const commits = new Map<string, string>();
const HOURS = { one: 1, two: 2, side: 3, three: 4 } as const;

function git(cwd: string, args: readonly string[], hour = 0): string {
  const date = `@${1_700_000_000 + hour * 3600} +0000`;
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...who, ...args], { cwd, env, stdio: 'pipe' })
    .toString()
    .trim();
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kbsync-revision-'));
  whole = join(folder, 'whole');
  git(folder, ['init', '-q', 'whole']);
  const commit = (name: keyof typeof HOURS): void => {
    writeFileSync(join(whole, 'file.md'), name);
    git(whole, ['add', '.']);
    git(whole, ['commit', '-qm', name], HOURS[name]);
    commits.set(name, git(whole, ['rev-parse', 'HEAD']));
  };
  commit('one');
  commit('two');
  git(whole, ['switch', '-q', '-c', 'side', 'HEAD~1']);
  commit('side');
  git(whole, ['switch', '-q', 'main']);
  commit('three');
});
afterAll(() => rmSync(folder, { recursive: true }));

const around = { env: {}, files: realFiles };
const nowhere = 'f'.repeat(40);
const known = (name: keyof typeof HOURS): Revision => ({
  commit: commits.get(name) ?? '',
  atMs: (1_700_000_000 + HOURS[name] * 3600) * 1000,
});
const relation = async (own: string, to: Revision | undefined, inside = whole): Promise<string> => {
  git(inside, ['checkout', '-q', own]);
  return (await checkoutBeside(inside, to, around)).relation;
};

function shallow(name: string, ...more: readonly string[]): string {
  git(folder, ['clone', '-q', '--depth', '1', ...more, `file://${whole}`, name]);
  return join(folder, name);
}

test('a whole clone tells older, newer, the same and another branch apart', async () => {
  expect(await relation('main', undefined)).toBe('first');
  expect(await relation('main', known('three'))).toBe('same');
  expect(await relation('main', known('one'))).toBe('after');
  expect(await relation('main~1', known('three'))).toBe('before');
  expect(await relation('main', known('side'))).toBe('beside');
  expect(await relation('side', known('two'))).toBe('beside');
});

test('a commit that was never fetched, or is gone after a force-push, is compared by its date', async () => {
  const gone = (hour: number): Revision => ({ commit: nowhere, atMs: (1_700_000_000 + hour * 3600) * 1000 });
  expect(await relation('main', gone(5))).toBe('dated-before');
  expect(await relation('main', gone(3))).toBe('dated-after');
  expect(await relation('main', { commit: nowhere })).toBe('untold');
});

test('a shallow clone has dates alone, and so it is where its history ends early', async () => {
  const one = shallow('one', '--branch', 'side');
  expect(await relation('side', known('three'), one)).toBe('dated-before');
  expect(await relation('side', known('two'), one)).toBe('dated-after');
  const both = shallow('both', '--no-single-branch');
  expect(await relation('main', known('side'), both)).toBe('dated-after');
});

test('the commit and its branch are what git says, else what a CI says', async () => {
  git(whole, ['checkout', '-q', 'side']);
  const side = { commit: commits.get('side'), branch: 'side' };
  expect(await revisionOf(join(whole, 'docs'), around)).toEqual(side);
  git(whole, ['checkout', '-q', '--detach']);
  expect(await revisionOf(whole, { ...around, env: { GITHUB_REF_NAME: 'side' } })).toEqual(side);
  git(whole, ['checkout', '-q', 'main']);
  git(whole, ['pack-refs', '--all']);
  expect(await revisionOf(whole, around)).toEqual({ commit: commits.get('three'), branch: 'main' });
  expect(await revisionOf(folder, around)).toBeUndefined();
  const ci = { CI_COMMIT_SHA: nowhere, CI_COMMIT_REF_NAME: 'main' };
  expect(await revisionOf(folder, { ...around, env: ci })).toEqual({ commit: nowhere, branch: 'main' });
});

test('without git nothing can be told', async () => {
  const ci = { ...around, env: { CI_COMMIT_SHA: nowhere } };
  expect(await checkoutBeside(folder, undefined, around)).toMatchObject({
    own: undefined,
    relation: 'first',
  });
  expect(await checkoutBeside(folder, known('one'), around)).toMatchObject({ relation: 'untold' });
  expect(await checkoutBeside(folder, known('one'), ci)).toMatchObject({ relation: 'untold' });
});
