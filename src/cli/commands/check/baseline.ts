import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import type { Finding } from '../../print/problems.ts';

/** Findings that are known: how often each may occur. A finding is known by file, code and words, not by its line. */
export type Baseline = ReadonlyMap<string, number>;

export function baselineText(findings: readonly Finding[]): string {
  const known = findings.map(({ code, at, message }) => ({ file: at.file, code, message }));
  known.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return `${JSON.stringify({ kbsync: 'baseline', format: JSON_FORMAT, known }, undefined, 2)}\n`;
}

/** @throws SetupError when the text is no baseline of a format we know */
export function baselineFrom(text: string, file: string): Baseline {
  const known = knownIn(text);
  if (known === undefined)
    throw new SetupError('usage', `${visible(file)} is not a baseline of kbsync`, {
      help: `kbsync check --baseline ${visible(file)} --update-baseline writes it`,
    });
  const counts = new Map<string, number>();
  for (const one of known) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
  return counts;
}

/** Findings that the baseline does not know, and how many it knows. */
export function newFindings(
  findings: readonly Finding[],
  baseline: Baseline,
): { readonly fresh: readonly Finding[]; readonly known: number } {
  const left = new Map(baseline);
  const fresh = findings.filter(({ code, at, message }) => {
    const name = nameOf({ file: at.file, code, message });
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
  return { fresh, known: findings.length - fresh.length };
}

interface Known {
  readonly file: string;
  readonly code: string;
  readonly message: string;
}

function nameOf({ file, code, message }: Known): string {
  return `${file}\n${code}\n${message}`;
}

function knownIn(text: string): readonly Known[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null || !('known' in json) || !('format' in json))
    return undefined;
  const { known, format } = json;
  return format === JSON_FORMAT && Array.isArray(known) && known.every(isKnown) ? known : undefined;
}

function isKnown(value: unknown): value is Known {
  if (typeof value !== 'object' || value === null) return false;
  return (['file', 'code', 'message'] as const).every((name) => typeof (value as Known)[name] === 'string');
}
