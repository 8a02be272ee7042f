import { withCapital } from '../../../../text/capital.ts';

/** A box for exercises and proofs, which books have. */
export interface BookBox {
  /** `start` and `end`: two directives around what is inside. */
  readonly form: 'whole' | 'start' | 'end';
  readonly title: string;
  readonly isFold: boolean;
}

/** Kinds of sphinx-proof and of mystmd (https://mystmd.org/guide/proofs-and-theorems). */
const KINDS = new Set(
  `proof theorem axiom lemma definition criterion remark conjecture corollary algorithm example property observation proposition
  assumption notation`.split(/\s+/),
);

/**
 * `{prf:theorem} Title`, `{exercise} Title` and `{solution} label`, as `sphinx-proof` and `sphinx-exercise` show them, without their numbers; with
 * `-start` and `-end` in pairs. `hidden`: no reader sees it, or it is none of these (https://ebp-sphinx-exercise.readthedocs.io).
 */
export function bookBox(
  name: string,
  argument: string,
  {
    options,
    hidesSolutions,
  }: { readonly options: ReadonlyMap<string, string>; readonly hidesSolutions: boolean },
): BookBox | 'hidden' | undefined {
  const isFold = /\b(?:dropdown|toggle)\b/.test(options.get('class') ?? '');
  const proof = /^prf:([a-z]+)$/.exec(name)?.[1] ?? '';
  if (KINDS.has(proof)) return { form: 'whole', title: titled(proof, argument), isFold };
  const [, kind = '', part] = /^(exercise|solution)(?:-(start|end))?$/.exec(name) ?? [];
  if (kind === '') return undefined;
  const isHidden = options.has('hidden') || (kind === 'solution' && hidesSolutions);
  // What stands between two directives cannot be taken out here: they stay as they are, and the page waits.
  if (isHidden) return part === undefined ? 'hidden' : undefined;
  const form = part === 'start' || part === 'end' ? part : 'whole';
  // What stands behind `solution` is the label of its exercise.
  return { form, title: titled(kind, kind === 'solution' ? '' : argument), isFold };
}

function titled(kind: string, title: string): string {
  const word = withCapital(kind);
  return title === '' ? word : `${word} (${title.replace(/^\((.*)\)$/, '$1')})`;
}
