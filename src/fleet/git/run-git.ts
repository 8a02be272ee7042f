import { spawn } from 'node:child_process';
import type { Env } from '../../machine/machine.ts';

/** `unreachable`: the network or the host failed, and trying again may help; `refused`: only a person can help. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly kind: 'unreachable' | 'refused';

  constructor(kind: GitError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Git {
  /** What git prints. @throws GitError */
  run(args: readonly string[], options?: GitOptions): Promise<string>;
}

export interface GitOptions {
  readonly cwd?: string;
  /** Told of the process when it is there: a later run can wait for its end. */
  readonly onStart?: (pid: number) => void;
}

/**
 * What holds for every call: no question on a terminal, no transport that runs a command, no hook, no program of a
 * repository's configuration, and English messages.
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.autoDetach=false',
  'maintenance.autoDetach=false',
  'advice.detachedHead=false',
  'submodule.recurse=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=60',
];
const PROTOCOLS = 'https:ssh:file';
const OUTPUT_CHARS_MAX = 1_000_000;
const TIME_MS_MAX = 30 * 60_000;

/** Git, without a shell and without the secrets of the fleet. */
export function createGit(env: Env, signal?: AbortSignal): Git {
  const own = Object.fromEntries(
    // The variables that say where a repository is, as a hook sets them, would lead git elsewhere.
    Object.entries(env).filter(
      ([name]) => !/^(?:GIT_DIR|GIT_WORK_TREE|GIT_INDEX_FILE|KBSYNC_.*)$/.test(name),
    ),
  );
  const all = {
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    ...own,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: PROTOCOLS,
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  };
  return {
    run: (args, { cwd, onStart } = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn('git', [...SETTINGS.flatMap((each) => ['-c', each]), ...args], {
          env: all,
          stdio: ['ignore', 'pipe', 'pipe'],
          timeout: TIME_MS_MAX,
          ...(cwd === undefined ? {} : { cwd }),
          ...(signal === undefined ? {} : { signal }),
        });
        if (child.pid !== undefined) onStart?.(child.pid);
        let out = '';
        let err = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          if (out.length < OUTPUT_CHARS_MAX) out += text;
        });
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          err = (err + text).slice(-OUTPUT_CHARS_MAX);
        });
        child.on('error', (error) => reject(new GitError('refused', startFailure(error))));
        child.on('close', (code) => {
          if (code === 0) resolve(out);
          else reject(new GitError(kindOf(err, code), `git ${commandIn(args)}: ${lastWords(err)}`));
        });
      }),
  };
}

/** `fetch` of `--git-dir PATH fetch …`, `reset` of `-C PATH reset …`. */
function commandIn(args: readonly string[]): string {
  return args[args[0]?.startsWith('-') === true ? 2 : 0] ?? '';
}

function startFailure(error: Error): string {
  if (error.name === 'AbortError') return 'git was stopped';
  return 'code' in error && error.code === 'ENOENT'
    ? 'there is no git on this machine; install it'
    : `git cannot be started: ${error.message}`;
}

/** What no second try mends. Everything else that stops a fetch may be the network. */
const FOR_A_PERSON =
  /could not read (?:Username|Password)|Authentication failed|Permission denied|[Rr]epository .*not (?:found|exist)|does not appear to be a git repository|does not exist|Host key verification failed|not a valid object|unknown revision|transport '.*' not allowed|dubious ownership|error: 40[134]/;

function kindOf(stderr: string, code: number | null): GitError['kind'] {
  if (code === null) return 'unreachable'; // ended by a signal or by the time limit
  return FOR_A_PERSON.test(stderr) ? 'refused' : 'unreachable';
}

const WORDS_MAX = 300;

function lastWords(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const said =
    lines.find((line) => /^(?:fatal|error|ERROR):/.test(line)) ?? lines.find((line) => line !== '');
  return (said ?? 'it failed without a word').replace(/^(?:fatal|error|ERROR): /, '').slice(0, WORDS_MAX);
}
