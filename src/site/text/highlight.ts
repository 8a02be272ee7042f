import { hash } from 'node:crypto';
import { createThread, ThreadError } from '../../service/thread.ts';
import { escaped } from '../html.ts';
import { COLOUR_THREAD } from '../threads.ts';
import { createMemory } from './memory.ts';

/** What the thread is asked: `colour` answers HTML, or undefined while the grammar is not loaded; `load` loads it. */
export type ColourTask =
  | { readonly type: 'load'; readonly language: string }
  | { readonly type: 'colour'; readonly language: string; readonly code: string };

/** Code as HTML with a class per kind of token, never a style: the page's policy allows no styles in attributes. */
export interface Highlighter {
  readonly highlight: (code: string, language: string) => Promise<Coloured>;
  readonly stop: () => Promise<void>;
}

/** `plain` the language is not known, or the code too long · `failed` its grammar did not end in time. Both are shown plain. */
export type Coloured = { readonly html: string } | 'plain' | 'failed';

export interface HighlighterOptions {
  /** For one block. Default 1 s; a page costs a few milliseconds. */
  readonly deadlineMs?: number;
  /** Of its thread: see `ThreadOptions`. */
  readonly youngMb?: number | undefined;
  readonly aheadMax?: number | undefined;
}

/** Reading a grammar, which is ours and not the author's. */
const LOAD_MS_MAX = 20_000;
const CODE_CHARS_MAX = 40_000;
const FAILURES_MAX = 2;
const REMEMBERED_MAX = 10_000;
/** Translations of a page have the same code. */
const REMEMBERED_CHARS_MAX = 4_000_000;

/**
 * What is written in help centres. Each name is one of shiki's own; grammars for which a short line was found to take
 * minutes (Coq, KDL, Racket, reg, Typst, V, Fortran) are not among them.
 */
const LANGUAGES = new Set(
  `bash bat c cpp csharp css csv dart diff docker dotenv elixir erlang go graphql groovy haskell hcl html http ini java
  javascript json json5 jsonc jsx julia kotlin less lua make markdown nginx objective-c perl php powershell properties proto python r
  regexp ruby rust scala scss shellscript shellsession sql svelte swift terraform toml tsx typescript vue xml yaml zig`.split(
    /\s+/,
  ),
);

/** Names that writers use, and shiki's for them. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'c++': 'cpp',
    'c#': 'csharp',
    cmd: 'bat',
    conf: 'ini',
    console: 'shellsession',
    cs: 'csharp',
    dockerfile: 'docker',
    env: 'dotenv',
    golang: 'go',
    gql: 'graphql',
    js: 'javascript',
    kt: 'kotlin',
    makefile: 'make',
    md: 'markdown',
    objc: 'objective-c',
    proto3: 'proto',
    protobuf: 'proto',
    ps: 'powershell',
    ps1: 'powershell',
    py: 'python',
    rb: 'ruby',
    rs: 'rust',
    sh: 'shellscript',
    shell: 'shellscript',
    'shell-session': 'shellsession',
    tf: 'terraform',
    ts: 'typescript',
    yml: 'yaml',
    zsh: 'shellscript',
  }),
);

/**
 * Colours code in a thread, which loads shiki and each grammar when it is first needed. A grammar is a set of regular
 * expressions over an author's text, and some of them never end on some texts: if a block does not end in time twice, it is
 * shown plain from then on.
 */
export function createHighlighter({
  deadlineMs = 1000,
  youngMb,
  aheadMax,
}: HighlighterOptions = {}): Highlighter {
  const thread = createThread<ColourTask, string | undefined>(COLOUR_THREAD, { youngMb, aheadMax });
  const known = createMemory<string>(REMEMBERED_CHARS_MAX);
  const failures = new Map<string, number>();
  const coloured = async (code: string, language: string): Promise<string> => {
    const task: ColourTask = { type: 'colour', language, code };
    const html = await thread.run(task, deadlineMs);
    if (html !== undefined) return html;
    // A new thread, and one that took the place of another, knows no grammar.
    await thread.run({ type: 'load', language }, LOAD_MS_MAX);
    return (await thread.run(task, deadlineMs)) ?? escaped(code);
  };
  return {
    async highlight(code, name) {
      const lower = name.toLowerCase();
      const language = ALIASES.get(lower) ?? lower;
      if (code.length > CODE_CHARS_MAX || !LANGUAGES.has(language)) return 'plain';
      const digest = hash('sha256', `${language}\n${code}`, 'base64');
      const remembered = known.get(digest);
      if (remembered !== undefined) return { html: remembered };
      for (let failed = failures.get(digest) ?? 0; failed < FAILURES_MAX; failed += 1) {
        try {
          const html = await coloured(code, language);
          known.set(digest, html, html.length);
          return { html };
        } catch (error) {
          // Too many blocks wait, or the machine is busy: that does not count as a failure of this block.
          if (error instanceof ThreadError && error.code === 'busy') return 'plain';
          failures.set(digest, failed + 1);
          if (failures.size > REMEMBERED_MAX) failures.delete(failures.keys().next().value ?? '');
        }
      }
      return 'failed';
    },
    stop: () => thread.stop(),
  };
}
