import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { FLAG_GROUPS } from '../../flags.ts';
import { optionDescription } from '../../help.ts';

export interface CommandAbout {
  /** Words after `kbsync`: `serve keys create`. */
  readonly path: string;
  readonly about: string;
  /** As in the help: `kbsync mv [options] <from> <to>`. */
  readonly usage: string;
  readonly arguments: readonly { readonly name: string; readonly about: string }[];
  readonly flags: readonly FlagAbout[];
}

export interface FlagAbout {
  /** As it is written: `-o, --out <dir>`. */
  readonly flag: string;
  readonly about: string;
  /** The heading above it in the help. */
  readonly group: string;
}

/** Every command that does something, in the order of the help, with its flags. */
export function commandsOf(program: CommandUnknownOpts): readonly CommandAbout[] {
  return below(program, '');
}

function below(command: CommandUnknownOpts, path: string): readonly CommandAbout[] {
  return command.commands.flatMap((sub) => {
    const deeper = `${path} ${sub.name()}`.trim();
    const own = sub.commands.length === 0 || sub.options.length > 0 ? [aboutOf(sub, deeper)] : [];
    return [...own, ...below(sub, deeper)];
  });
}

function aboutOf(command: CommandUnknownOpts, path: string): CommandAbout {
  const help = command.createHelp();
  return {
    path,
    about: command.description(),
    usage: `kbsync ${path}${command.usage() === '' ? '' : ` ${command.usage()}`}`,
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      about: help.argumentDescription(argument),
    })),
    flags: command.options
      .filter(({ hidden }) => !hidden)
      .map((option) => ({
        flag: option.flags,
        about: optionDescription(option),
        group: option.helpGroupHeading ?? FLAG_GROUPS.own,
      })),
  };
}

/** The page of the documentation: each command with the flags that are its own; those of many commands stand once, at the end. */
export function commandsPage(commands: readonly CommandAbout[]): string {
  const shared = sharedIn(commands);
  const isShared = ({ flag, about }: FlagAbout): boolean => shared.get(flag)?.about === about;
  return [
    ...commands.flatMap((command) => sectionOf(command, isShared)),
    '## Flags of many commands',
    ...sharedTables([...shared.values()]),
  ].join('\n\n');
}

/** Flags that say the same in so many commands stand once. */
const COMMANDS_MIN = 3;

/** Of each such flag what most commands say of it, by what it is called. Flags below the heading `Options:` are a command's own. */
function sharedIn(commands: readonly CommandAbout[]): ReadonlyMap<string, FlagAbout> {
  const counts = new Map<string, { readonly one: FlagAbout; readonly count: number }>();
  for (const one of commands.flatMap(({ flags }) => flags)) {
    if (one.group === FLAG_GROUPS.own) continue;
    const name = JSON.stringify([one.flag, one.about]);
    counts.set(name, { one, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  const shared = new Map<string, FlagAbout>();
  const often = [...counts.values()].filter(({ count }) => count >= COMMANDS_MIN);
  for (const { one } of often.sort((a, b) => b.count - a.count))
    if (!shared.has(one.flag)) shared.set(one.flag, one);
  return shared;
}

function sectionOf(
  { path, about, usage, arguments: names, flags }: CommandAbout,
  isShared: (flag: FlagAbout) => boolean,
): readonly string[] {
  const own = flags.filter((flag) => !isShared(flag));
  const also = flags.filter(isShared).map(({ flag }) => code(longOf(flag)));
  return [
    `### kbsync ${path}`,
    `${sentence(about)} ${code(usage)}`,
    ...(names.length + own.length === 0
      ? []
      : [
          table([
            ...names.map(({ name, about: text }) => [code(name), text] as const),
            ...own.map(({ flag, about: text }) => [code(flag), text] as const),
          ]),
        ]),
    ...(also.length === 0
      ? []
      : [`Also ${also.join(', ')}: [flags of many commands](#flags-of-many-commands).`]),
  ];
}

function sharedTables(flags: readonly FlagAbout[]): readonly string[] {
  return Object.values(FLAG_GROUPS).flatMap((group) => {
    const rows = flags.filter((flag) => flag.group === group);
    return rows.length === 0
      ? []
      : [`### ${group.replace(/:$/, '')}`, table(rows.map(({ flag, about }) => [code(flag), about]))];
  });
}

function table(rows: readonly (readonly [what: string, about: string])[]): string {
  return [
    '| | |',
    '|---|---|',
    ...rows.map(([what, about]) => `| ${cell(what)} | ${cell(about.replaceAll('<', '&lt;'))} |`),
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

function code(text: string): string {
  return `\`${text}\``;
}

function longOf(flag: string): string {
  return /--[\w-]+/.exec(flag)?.[0] ?? flag;
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
