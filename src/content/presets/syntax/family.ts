import { replacementOf } from '../../component-rules.ts';
import type { LocalProblem, Spot } from '../../source-text.ts';
import type { DialectContext, Edit } from '../preset.ts';
import type { Range } from './code-ranges.ts';
import type { Tag } from './tag.ts';

/** A body as the families of a layout look at it, one after the other. */
export interface Source {
  readonly body: string;
  readonly context: DialectContext;
  /** Fenced code, code spans and modules. */
  readonly inCode: (offset: number) => boolean;
  /** Fenced code alone, each from the start of its first line to the start of the line behind it. */
  readonly fences: readonly Range[];
  /** Modules of MDX. */
  readonly modules: readonly Range[];
  /** What a family before this one has explained, and code. */
  readonly isTaken: (offset: number) => boolean;
  readonly spotAt: (offset: number) => Spot;
}

/** What a family has found. */
export interface Found {
  readonly tags?: readonly Tag[];
  /** Other pieces with what is written in their place. */
  readonly edits?: readonly Edit[];
  readonly problems?: readonly LocalProblem[];
  /** Words that the site itself does not show: nobody misses them. */
  readonly wordsUnshown?: number;
  /** Names of blocks of code, as Markdown of one line, by the start of their fence. */
  readonly names?: ReadonlyMap<number, string>;
}

/** One way in which generators extend Markdown. */
export type Family = (source: Source) => Found;

export const NOTHING: Found = {};

/** An expression that the generator computes: what stands there (`{{ name }}`), and its value, if that is known. */
export interface Expression {
  readonly start: number;
  readonly whole: string;
  readonly name: string;
  readonly value: string | undefined;
}

/** A rule for an expression's very words goes before its value; without either, or a rule that keeps it, it is a problem. */
export function explained(
  { start, whole, name, value }: Expression,
  { context, spotAt }: Pick<Source, 'context' | 'spotAt'>,
): { readonly edits: readonly Edit[]; readonly problems: readonly LocalProblem[] } {
  const rule = Object.hasOwn(context.rules, name) ? context.rules[name] : undefined;
  const text = rule === 'drop' ? '' : (replacementOf(rule) ?? value);
  if (text !== undefined) return { edits: [{ start, end: start + whole.length, text }], problems: [] };
  if (rule !== undefined) return { edits: [], problems: [] };
  const problem = { code: 'unknown-component', what: 'expression', name, shown: whole } as const;
  return { edits: [], problems: [{ ...problem, spot: spotAt(start) }] };
}
