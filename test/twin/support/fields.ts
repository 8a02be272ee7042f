import type { About, Habit, Json } from './service/habit.ts';

/** `data[].other_articles[].language` */
export type FieldPath = string;

/** One field of one reply, and how it is odd. */
export interface OddField {
  /** `list article`, `read tag`, `write` */
  readonly reply: string;
  readonly path: FieldPath;
  readonly oddity: Oddity;
}

export const ODDITIES = {
  missing: () => undefined,
  null: () => null,
  'of another type': (value: unknown) => (typeof value === 'string' || value === null ? 7 : 'text'),
  'an empty object': () => ({}),
  'an empty list': () => [],
  'a long text': () => 'long '.repeat(2000),
  'a number as text': (value: unknown) => (typeof value === 'number' ? String(value) : '7'),
} as const satisfies Readonly<Record<string, (value: unknown) => unknown>>;
export type Oddity = keyof typeof ODDITIES;

export function replyName({ reply, kind }: About): string {
  return kind === undefined || reply === 'write' || reply === 'error' ? reply : `${reply} ${kind}`;
}

/** Notes every field of every reply; rows come in another order each time, with fields that nobody knows. */
export function noting(fields: Map<string, Set<FieldPath>>): Habit {
  return {
    shapes: () => (body, about) => {
      const known = fields.get(replyName(about)) ?? new Set();
      fields.set(replyName(about), known);
      note(body, '', known);
      return body;
    },
  };
}

function note(value: unknown, at: FieldPath, known: Set<FieldPath>): void {
  if (Array.isArray(value)) for (const each of value) note(each, `${at}[]`, known);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const path = at === '' ? name : `${at}.${name}`;
    known.add(path);
    note(inner, path, known);
  }
}

/** A service of which one field is always odd; rows come in another order each time, with fields that nobody knows. */
export function withOddField({ reply, path, oddity }: OddField): Habit {
  return {
    shapes:
      ({ random }) =>
      (body, about) => {
        const odd = replyName(about) === reply ? changedAt(body, path, ODDITIES[oddity]) : body;
        return widened(shuffled(odd as Json, random), random);
      },
  };
}

function changedAt(value: unknown, path: FieldPath, change: (value: unknown) => unknown): unknown {
  if (path.startsWith('[]')) {
    return Array.isArray(value) ? value.map((each) => changedAt(each, path.slice(2), change)) : value;
  }
  const [, name = '', rest = ''] = /^\.?([^.[]+)(.*)$/.exec(path) ?? [];
  if (name === '') return change(value);
  if (typeof value !== 'object' || value === null || !(name in value)) return value;
  const entries = Object.entries(value).map(
    ([each, inner]) => [each, each === name ? changedAt(inner, rest, change) : inner] as const,
  );
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

function shuffled(body: Json, random: () => number): Json {
  if (!Array.isArray(body['data'])) return body;
  const rows = body['data'].map((row: unknown) => ({ row, at: random() }));
  return { ...body, data: rows.sort((a, b) => a.at - b.at).map(({ row }) => row) };
}

function widened(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((each) => widened(each, random));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, widened(inner, random)] as const);
  const extra = [`x_${Math.floor(random() * 1e6)}`, [null, { id: 'x' }, random()]] as const;
  return Object.fromEntries(random() < 0.5 ? [extra, ...entries] : [...entries, extra]);
}
