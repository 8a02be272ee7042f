import type { LocalProblem, Spot } from '../source-text.ts';
import { alertEdits } from './alerts.ts';
import type { Alert } from './alerts.ts';
import { blank, spotsIn } from './edits.ts';
import type { ComponentRule, ComponentRules, DialectContext, Edit, Translation } from './preset.ts';

/** A shortcode, a component, an include: `{{< name … >}}`, `<Name …>`, `{% name … %}`. */
export interface Tag {
  readonly name: string;
  readonly form: 'open' | 'close' | 'self';
  readonly start: number;
  readonly end: number;
  readonly args: TagArguments;
}

export interface TagArguments {
  readonly named: Readonly<Record<string, string>>;
  readonly positional: readonly string[];
}

/** What a tag becomes. `text` stands for the tag alone, `wrap` for both tags of a pair, `drop` and `keep` as in the rules. */
export type Meaning =
  | { readonly as: 'text'; readonly text: string }
  | { readonly as: 'wrap'; readonly open: string; readonly close: string }
  | ({ readonly as: 'alert' } & Alert)
  | { readonly as: 'drop' | 'keep' };

export interface TagSyntax {
  /** For the message: `shortcode`, `component`. */
  readonly what: 'shortcode' | 'component' | 'liquid tag' | 'expression' | 'container' | 'include';
  /** How the tag is written, for the message. */
  readonly shown: (tag: Tag) => string;
  readonly meaning: (tag: Tag) => Meaning | undefined;
}

/** Replaces every tag by what it means; one that nobody explains is a problem at its place, and its text is kept. */
export function translateTags(
  body: string,
  tags: readonly Tag[],
  syntax: TagSyntax,
  { rules, labels }: DialectContext,
): Translation {
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  const spotAt = spotsIn(body);
  const closers = pairs(tags);
  const closing = new Set(closers.values());
  let dropped = -1;
  for (const tag of tags) {
    if (tag.start < dropped || closing.has(tag)) continue;
    const closer = closers.get(tag);
    const rule = Object.hasOwn(rules, tag.name) ? rules[tag.name] : undefined;
    const meaning = rule === undefined ? syntax.meaning(tag) : ruled(rule, tag);
    if (meaning === undefined) {
      const problem = {
        code: 'unknown-component',
        what: syntax.what,
        name: tag.name,
        shown: syntax.shown(tag),
      } as const;
      problems.push({ ...problem, spot: spotAt(tag.start) });
    }
    if (meaning?.as === 'drop' || (rule !== undefined && meaning?.as === 'text')) {
      dropped = closer?.end ?? tag.end;
      edits.push({ start: tag.start, end: dropped, text: meaning.as === 'text' ? meaning.text : '' });
    } else if (meaning?.as === 'alert' && closer !== undefined) {
      const block = { ...meaning, open: [tag.start, tag.end], close: [closer.start, closer.end] } as const;
      edits.push(...alertEdits(body, block, labels[meaning.kind]));
    } else {
      const text = meaning?.as === 'text' ? meaning.text : meaning?.as === 'wrap' ? meaning.open : '';
      edits.push({ start: tag.start, end: tag.end, text });
      if (closer !== undefined) {
        edits.push({ ...blank(closer.start, closer.end), text: meaning?.as === 'wrap' ? meaning.close : '' });
      }
    }
  }
  return { edits, problems };
}

/** `{0}` and `{name}` in a replacement are the tag's arguments; one that is missing is empty. */
function ruled(rule: ComponentRule, { args }: Tag): Meaning {
  if (rule === 'drop' || rule === 'keep') return { as: rule };
  const text = rule.replace.replaceAll(/\{([\w-]+)\}/g, (_, name: string) =>
    /^\d+$/.test(name) ? (args.positional[Number(name)] ?? '') : (args.named[name] ?? ''),
  );
  return { as: 'text', text: text.replaceAll('\n', ' ') };
}

/** Opening tag → its closing tag; a stray closing tag is paired with nothing and goes away as a tag of its own. */
function pairs(tags: readonly Tag[]): ReadonlyMap<Tag, Tag> {
  const found = new Map<Tag, Tag>();
  const open: Tag[] = [];
  const count = new Map<string, number>();
  for (const tag of tags) {
    if (tag.form === 'open') {
      open.push(tag);
      count.set(tag.name, (count.get(tag.name) ?? 0) + 1);
    }
    if (tag.form !== 'close' || (count.get(tag.name) ?? 0) === 0) continue;
    // What was opened inside and never closed stands alone: each is taken off once, however many there are.
    for (let opener = open.pop(); opener !== undefined; opener = open.pop()) {
      count.set(opener.name, (count.get(opener.name) ?? 1) - 1);
      if (opener.name !== tag.name) continue;
      found.set(opener, tag);
      break;
    }
  }
  return found;
}

const ARGUMENT =
  /([\w:@.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|\{([^{}]*)\}|([^\s"'>]+))|"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"']+)/g;

/** `name="value" 'text' word`, as shortcodes, JSX and Liquid write them. */
export function tagArguments(text: string): TagArguments {
  const named: Record<string, string> = {};
  const positional: string[] = [];
  for (const [, name, a, b, c, d, e, f, g, h, i] of text.matchAll(ARGUMENT)) {
    const value = (a ?? b ?? c ?? d ?? e ?? f ?? g ?? h ?? i ?? '').replaceAll(/\\(["\\])/g, '$1');
    if (name === undefined) positional.push(value);
    else named[name] = value;
  }
  return { named, positional };
}

/** A line that takes in another file, with its rule; without one it is a problem, where it `isProblem`, and its text goes. */
export function translateInclude(
  include: {
    readonly name: string;
    readonly whole: string;
    readonly index: number;
    readonly isProblem: boolean;
  },
  { rules, spotAt }: { readonly rules: ComponentRules; readonly spotAt: (index: number) => Spot },
): Translation {
  const { name, whole, index, isProblem } = include;
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  const text = typeof rule === 'object' ? rule.replace : '';
  const edits = [{ start: index, end: index + whole.length, text }];
  if (rule !== undefined || !isProblem) return { edits, problems: [] };
  const shown = whole.trim();
  return {
    edits,
    problems: [{ code: 'unknown-component', what: 'include', name, shown, spot: spotAt(index) }],
  };
}
