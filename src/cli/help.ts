import type { Argument, Option } from '@commander-js/extra-typings';
import type { Env } from '../machine/machine.ts';
import { didYouMean } from '../content/suggest.ts';
import { visible } from '../model/visible.ts';
import { FLAG_GROUPS } from './flags.ts';
import { keysIn, safeForLogs } from './print/terminal/screen.ts';

export const GETTING_STARTED = `Start here:
  $ kbsync init          look at this folder and write kbsync.yaml
  $ kbsync plan          show what a sync would do
  $ kbsync sync          do it`;

export const EXIT_CODES = `Exit codes:
  0 done (drift is only reported)        1 failed, or problems in the content
  2 changes pending (plan --exit-code)   3 conflicts
  4 refused by a guard                   5 partly done, safe to run again
  64 usage                               130 interrupted`;

export const ENVIRONMENT = `Environment:
  KBSYNC_API_KEY    the key; never a flag, never in a file
  KBSYNC_ORIGIN     if set, the key is sent only to this origin
  KBSYNC_BASE_URL   address of the knowledge base; --base-url overrides it, it overrides kbsync.yaml
  KBSYNC_STATE      where the state is: a file, or an address that machines share; wins over kbsync.yaml
  KBSYNC_STATE_USERNAME, KBSYNC_STATE_PASSWORD, KBSYNC_STATE_TOKEN
                    for a shared state; sent only to KBSYNC_STATE_ORIGIN if the address is in kbsync.yaml
  NO_COLOR, FORCE_COLOR`;

/** What a flag is for, with the values that it takes and its default; false and none are no defaults worth words. */
export function optionDescription(option: Option): string {
  // Commander types what a default can be as `any`.
  const { argChoices, defaultValue } = option as { argChoices?: readonly string[]; defaultValue?: unknown };
  const hasDefault = typeof defaultValue === 'string' || typeof defaultValue === 'number';
  const notes = [
    ...(argChoices === undefined ? [] : [argChoices.join(' | ')]),
    ...(hasDefault ? [`default: ${defaultValue}`] : []),
  ];
  return notes.length === 0 ? option.description : `${option.description} (${notes.join('; ')})`;
}

/** The same for an argument. */
export function argumentDescription({ argChoices, description }: Argument): string {
  return argChoices === undefined ? description : `${description} (${argChoices.join(' | ')})`;
}

/** Flags by their heading, the headings in the order of FLAG_GROUPS; other headings as they come, after the own flags. */
export function groupItems<Item>(
  all: Item[],
  visibleItems: Item[],
  headingOf: (item: Item) => string,
): Map<string, Item[]> {
  const known: readonly string[] = Object.values(FLAG_GROUPS);
  const rank = (heading: string): number => {
    const index = known.indexOf(heading);
    return index === -1 ? known.indexOf(FLAG_GROUPS.own) : index;
  };
  const headings = [...new Set([...all, ...visibleItems].map(headingOf))].sort((a, b) => rank(a) - rank(b));
  return new Map(
    headings.map((heading) => [heading, visibleItems.filter((item) => headingOf(item) === heading)]),
  );
}

/** What somebody typed is repeated in the message; a script may have put anything there. */
export function usageText(text: string, env: Env): string {
  const [, message = '', hint = ''] = /^([\s\S]*?)(\n\(Did you mean [^\n]*\))?\s*$/.exec(text) ?? [];
  // Other tools call a plan so.
  const isDryRun = /unknown option '--dry-run'/.test(message);
  const way = isDryRun ? '\n(kbsync plan shows what a sync would do, and writes nothing)' : hint;
  const shown = `${visible(plainChoice(message))}${way === '' ? '' : `\n${visible(way.slice(1))}`}\n`;
  return safeForLogs(shown, keysIn(env), env['GITHUB_ACTIONS'] === 'true');
}

/** Commander's `option '--on-drift <what>' argument 'x' is invalid. Allowed choices are a, b.` in our words, with the one that is perhaps meant. */
export function plainChoice(message: string): string {
  const found = CHOICE.exec(message)?.groups;
  if (found === undefined) return message;
  const { flag, name = '', list = '' } = found;
  const given = found['given'] ?? found['value'] ?? '';
  const choices = list.split(', ');
  const is = `${flag ?? `<${name}>`} is \`${given}\``;
  return `error: ${is}; it takes ${choices.join(', ')}${didYouMean(given, choices)}`;
}

const CHOICE =
  /^error: (?:option '(?:-\w, )?(?<flag>--[\w-]+)[^']*' argument '(?<given>.*)' is invalid|command-argument value '(?<value>.*)' is invalid for argument '(?<name>[^']*)')\. Allowed choices are (?<list>.*)\.$/s;
