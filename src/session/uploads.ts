import { dirname, resolve } from 'node:path';
import pLimit from 'p-limit';
import type { Settings } from '../config/settings.ts';
import { commandWords } from '../config/upload-command.ts';
import type { Uploaded } from '../content/options.ts';
import type { Env, Files } from '../machine/machine.ts';
import type { ProgramEnd, RunProgram } from '../machine/run-program.ts';
import { digestOfText } from '../model/digest.ts';
import type { LocalFile } from '../model/record.ts';
import { visible, withoutLogins } from '../model/visible.ts';
import { isUrl } from '../text/url.ts';

/** Images and files that the command of `assets.upload` gives an address. */
export interface Uploads {
  /** What is known now. */
  readonly uploaded: () => Uploaded;
  /** Runs the command for each of these, by digest. Answers how many have an address since. */
  readonly upload: (files: ReadonlyMap<string, LocalFile>, signal?: AbortSignal) => Promise<number>;
}

export interface UploadMachine {
  readonly env: Env;
  readonly files: Pick<Files, 'readText' | 'appendText'>;
  readonly runProgram: RunProgram;
}

const AT_ONCE = 4;
const TIMEOUT_MS = 300_000;
/** After so many failures without a success between them, the cause is likely the same for all. */
const FAILURES_MAX = 5;

/** One line of the file: what the command `by` printed for the bytes of a digest. */
interface Line {
  readonly digest: string;
  readonly url: string;
  readonly by: string;
}

/** Undefined: the settings name no command. Addresses are kept beside the state, for each command apart. */
export async function openUploads(
  { file, root, contentDir, stateFile }: Settings,
  { env, files, runProgram }: UploadMachine,
  { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Promise<Uploads | undefined> {
  const command = file.assets?.upload;
  if (command === undefined) return undefined;
  const words = commandWords(command) ?? [];
  const by = digestOfText(JSON.stringify(words));
  const keptIn = resolve(dirname(stateFile), 'uploads.jsonl');
  const urls = new Map(
    linesIn(await files.readText(keptIn)).flatMap((line) =>
      line.by === by ? [[line.digest, line.url]] : [],
    ),
  );
  const failures = new Map<string, string>();
  const options = { cwd: root, env: withoutSecrets(env), timeoutMs };
  const nameOf = visible(words[0] ?? '');
  const addressOf = async (
    digest: string,
    local: LocalFile,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly url: string } | { readonly failure: string }> => {
    const path = resolve(contentDir, local.path);
    const marks: Readonly<Record<string, string>> = {
      '{file}': path,
      '{digest}': digest,
      '{name}': local.name,
    };
    const args = words.map((word) =>
      word.replaceAll(/\{(?:file|digest|name)\}/g, (mark) => marks[mark] ?? mark),
    );
    const end = await runProgram(args, { ...options, signal });
    if (end.code !== 0) return { failure: `\`${nameOf}\` gave it no address: ${end.why}${said(end)}` };
    const url = printedAddress(end.stdout);
    if (url === undefined)
      return {
        failure: `\`${nameOf}\` must print one line, an address that begins with https://; it printed ${shortly(end.stdout)}`,
      };
    if ((await local.read()) === undefined)
      return { failure: 'it changed while the run was under way; run again' };
    return { url };
  };
  return {
    uploaded: () => ({ urls: Object.fromEntries(urls), failures: Object.fromEntries(failures) }),
    upload: async (wanted, signal) => {
      const limit = pLimit(AT_ONCE);
      let inARow = 0;
      let count = 0;
      const one = async (digest: string, local: LocalFile): Promise<void> => {
        failures.delete(digest);
        if (urls.has(digest)) return;
        if (signal?.aborted === true || inARow >= FAILURES_MAX) {
          const why =
            signal?.aborted === true ? 'the run was interrupted' : `${FAILURES_MAX} others failed in a row`;
          failures.set(digest, `it was not uploaded: ${why}`);
          return;
        }
        const end = await addressOf(digest, local, signal);
        if ('failure' in end) {
          inARow += 1;
          failures.set(digest, end.failure);
          return;
        }
        inARow = 0;
        count += 1;
        urls.set(digest, end.url);
        // At once: what was uploaded is not uploaded again, however this process ends.
        const line: Line = { digest, url: end.url, by };
        await files.appendText(keptIn, `${JSON.stringify(line)}\n`);
      };
      await Promise.all([...wanted].map(([digest, local]) => limit(() => one(digest, local))));
      return count;
    },
  };
}

/** Keys of services are no business of the command. */
function withoutSecrets(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('KBSYNC_')),
  );
}

function linesIn(text = ''): readonly Line[] {
  return text.split('\n').flatMap((line): readonly Line[] => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // The last line of a process that was killed.
      return [];
    }
    if (typeof value !== 'object' || value === null) return [];
    const { digest, url, by } = value as Partial<Record<string, unknown>>;
    if (typeof digest !== 'string' || typeof by !== 'string' || typeof url !== 'string') return [];
    const address = printedAddress(url);
    return address === undefined ? [] : [{ digest, url: address, by }];
  });
}

const ADDRESS_CHARS_MAX = 2000;

/** One line that is a whole address, without a name and a password in it. */
function printedAddress(text: string): string | undefined {
  const line = text.trim();
  if (!/^https?:\/\/\S+$/i.test(line) || line.length > ADDRESS_CHARS_MAX || !isUrl(line)) return undefined;
  const { href, username, password } = new URL(line);
  return username === '' && password === '' ? href : undefined;
}

const SAID_CHARS_MAX = 300;

function said({ stderr }: ProgramEnd): string {
  const text = stderr.trim().replaceAll(/\s*\n\s*/g, ' | ');
  return text === '' ? '' : `: ${visible(withoutLogins(text).slice(-SAID_CHARS_MAX))}`;
}

function shortly(stdout: string): string {
  const text = stdout.trim();
  const lines = text.split('\n').length;
  if (text === '') return 'nothing';
  return lines > 1 ? `${lines} lines` : `"${visible(withoutLogins(text).slice(0, 100))}"`;
}
