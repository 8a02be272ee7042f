import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { EXIT } from '../../run/exit.ts';
import type { Shell } from './command.ts';
import type { World } from '../../world.ts';

interface Node {
  /** Words after `kbsync`: `serve keys create`; empty for the top. */
  readonly path: string;
  readonly words: readonly Word[];
}

interface Word {
  readonly text: string;
  readonly about: string;
  readonly choices: readonly string[];
  readonly takesValue: boolean;
}

/** `kbsync completions`: a script for the shell, made of the command tree, so TAB starts no process. */
export function completions(shell: Shell, program: CommandUnknownOpts, world: World): number {
  const nodes = nodesOf(program, '');
  world.stdout.write({ bash: bashScript, zsh: zshScript, fish: fishScript }[shell](nodes));
  return EXIT.done;
}

function nodesOf(command: CommandUnknownOpts, path: string): readonly Node[] {
  const below = command.commands.map((sub) => ({ sub, path: `${path} ${sub.name()}`.trim() }));
  const words: Word[] = [
    ...below.map(({ sub }) => ({
      text: sub.name(),
      about: sub.description(),
      choices: [],
      takesValue: false,
    })),
    ...command.options.flatMap((option) =>
      option.long === undefined || option.hidden
        ? []
        : [
            {
              text: option.long,
              about: option.description,
              choices: option.argChoices ?? [],
              takesValue: option.required || option.optional,
            },
          ],
    ),
    { text: '--help', about: 'print help', choices: [], takesValue: false },
  ];
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  words.push(...choices.map((text) => ({ text, about: '', choices: [], takesValue: false })));
  return [{ path, words }, ...below.flatMap(({ sub, path: deeper }) => nodesOf(sub, deeper))];
}

function bashScript(nodes: readonly Node[]): string {
  return `# eval "$(kbsync completions bash)"
_kbsync() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' word words='' values=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${nodes
  .filter(({ path }) => path !== '')
  .map(({ path }) => {
    const words = path.split(' ');
    return `      '${words.slice(0, -1).join(' ')} ${words.at(-1) ?? ''}') path='${path}' ;;`;
  })
  .join('\n')}
    esac
  done
  case "$path" in
${nodes.map(({ path, words }) => `    '${path}') words='${words.map(({ text }) => text).join(' ')}' ;;`).join('\n')}
  esac
  case "$path $before" in
${valueWords(nodes)
  .map(({ path, word }) => `    '${path} ${word.text}') values='${word.choices.join(' ')}'; words='' ;;`)
  .join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words $values" -- "$current")
}
complete -o default -F _kbsync kbsync
`;
}

/** Flags that take a value: after them only their choices are offered, or files. */
function valueWords(nodes: readonly Node[]): readonly { readonly path: string; readonly word: Word }[] {
  return nodes.flatMap(({ path, words }) =>
    words.filter(({ takesValue }) => takesValue).map((word) => ({ path, word })),
  );
}

/** A function of zsh's own completion system: names come with what they are for. */
function zshScript(nodes: readonly Node[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const offer = ({ text, about }: Word): string =>
    quoted(about === '' ? text : `${text.replaceAll(':', String.raw`\:`)}:${about}`);
  return `# eval "$(kbsync completions zsh)"
_kbsync() {
  local at='' word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
${nodes
  .filter(({ path }) => path !== '')
  .map(({ path }) => {
    const last = path.lastIndexOf(' ');
    return `      (${quoted(`${path.slice(0, Math.max(0, last))} ${path.slice(last + 1)}`)}) at=${quoted(path)} ;;`;
  })
  .join('\n')}
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valueWords(nodes)
  .map(({ path, word }) => {
    const values = word.choices.length === 0 ? '_files' : `compadd -- ${word.choices.map(quoted).join(' ')}`;
    return `    (${quoted(`${path} ${word.text}`)}) ${values}; return ;;`;
  })
  .join('\n')}
  esac
  case "$at" in
${nodes.map(({ path, words }) => `    (${quoted(path)}) offered=(${words.map(offer).join(' ')}) ;;`).join('\n')}
  esac
  _describe kbsync offered || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u }
compdef _kbsync kbsync
`;
}

function fishScript(nodes: readonly Node[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = nodes.flatMap(({ path, words }) => {
    const seen = path.split(' ').filter((part) => part !== '');
    const below = nodes.filter((node) => node.path.startsWith(`${path} `.trimStart()) && node.path !== path);
    const next = new Set(below.map((node) => node.path.slice(path.length).trim().split(' ')[0] ?? ''));
    const tests = [
      ...seen.map((part) => `__fish_seen_subcommand_from ${part}`),
      ...(next.size === 0 ? [] : [`not __fish_seen_subcommand_from ${[...next].join(' ')}`]),
    ];
    const condition = tests.length === 0 ? '' : ` -n ${quoted(tests.join('; and '))}`;
    return words.map(({ text, about, choices, takesValue }) => {
      const what = text.startsWith('--') ? `-l ${text.slice(2)}` : `-f -a ${quoted(text)}`;
      const value = !takesValue ? '' : choices.length === 0 ? ' -r' : ` -x -a ${quoted(choices.join(' '))}`;
      return `complete -c kbsync${condition} ${what}${value}${about === '' ? '' : ` -d ${quoted(about)}`}`;
    });
  });
  return ['# kbsync completions fish | source', ...lines, ''].join('\n');
}
