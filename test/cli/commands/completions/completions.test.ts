import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shell } from '../../../../src/cli/commands/completions/command.ts';
import { fakeWorld } from '../../support/fake-world.ts';

/** What is typed before TAB, and what is offered. */
const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['kbsync pl', ['plan']],
  ['kbsync plan --exit', ['--exit-code']],
  ['kbsync check --format s', ['sarif']],
  ['kbsync serve keys cr', ['create']],
  ['kbsync completions f', ['fish']],
  ['kbsync serve ke', ['keys']],
  ['kbsync resolve --lo', ['--local']],
  ['kbsync sync --on-conflict l', ['local']],
];

let folder: string;
const files = {} as Record<Shell, string>;
const SHELLS = ['bash', 'zsh', 'fish'] as const;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kbsync-shells-'));
  const world = await fakeWorld();
  for (const shell of SHELLS) {
    files[shell] = join(folder, `kbsync.${shell}`);
    await writeFile(files[shell], (await world.run('completions', shell)).stdout);
  }
  await world.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the scripts name every command', async () => {
  const world = await fakeWorld();
  const help = (await world.run('--help')).stdout;
  await world.close();
  const commands = [...help.matchAll(/^ {2}([a-z]+) .*(?:\[options\]|<)/gm)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(15);
  for (const shell of SHELLS) {
    const script = await readFile(files[shell], 'utf8');
    for (const command of commands) expect(script).toContain(command);
  }
});

function isHere(shell: Shell): boolean {
  const isFound = spawnSync(shell, ['-c', 'exit 0']).error === undefined;
  if (!isFound) console.log(`${shell} is not here: its completions were not tried`);
  return isFound;
}

function ran(shell: Shell, args: readonly string[], input = ''): string {
  const env = { ...process.env, TERM: 'dumb', HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const { status, stdout, stderr } = spawnSync(shell, args, { cwd: folder, encoding: 'utf8', env, input });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

test('bash completes commands, flags of the command, and the values of a flag', () => {
  for (const [typed, offered] of [...CASES, ['kbsync plan --out se', []] as const]) {
    const words = typed.split(' ');
    const line = words.map((word) => `'${word}'`).join(' ');
    const script = `. ${files.bash}; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _kbsync; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect([typed, ran('bash', ['--norc', '-eu', '-c', script]).trim().split('\n').filter(Boolean)]).toEqual([
      typed,
      offered,
    ]);
  }
});

test('zsh completes the same, in a terminal', () => {
  if (!isHere('zsh')) return;
  const typed = CASES.map(([line]) => `$'${line}\\t\\x18'`).join(' ');
  // A terminal of its own, in which the lines are typed; Ctrl-X prints what stands there and clears it.
  const script = `zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell 'stty -echo; unset zle_bracketed_paste; PS1=; show() { print -r -- "<<\${BUFFER}>>"; BUFFER= }; zle -N show; bindkey "^X" show; source ${files.zsh}; print REA""DY'
zpty -r shell line '*READY*'
for typed in ${typed}; do
  zpty -n -w shell $typed
  zpty -r shell line '*<<*>>*'
  print -r -- "\${\${line##*<<}%%>>*}"
done
zpty -d shell
`;
  const lines = ran('zsh', ['-f', '-c', script]).trim().split('\n');
  const completed = CASES.map(
    ([line, [offered = '']]) => `${line.slice(0, line.lastIndexOf(' '))} ${offered}`,
  );
  expect(lines.map((line) => line.trim())).toEqual(completed);
});

test('fish completes the same', () => {
  if (!isHere('fish')) return;
  for (const [typed, offered] of CASES) {
    const out = ran('fish', ['--no-config', '-c', `source ${files.fish}; complete -C '${typed}'`]);
    const words = out
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0]);
    expect([typed, words]).toEqual([typed, offered]);
  }
});
