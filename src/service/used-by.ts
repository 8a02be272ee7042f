import type { Kind } from './kind.ts';

export interface User {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly language: string | null;
}

const NAMED_MAX = 5;

/** `category "Setup" (018f…), article "Install" (018f…, fr) and 12 more`, or undefined when there is none. */
export function usersOf(groups: readonly (readonly User[])[]): string | undefined {
  const all = groups.flat();
  if (all.length === 0) return undefined;
  const named = all
    .slice(0, NAMED_MAX)
    .map(
      ({ kind, id, name, language }) =>
        `${kind} "${name}" (${language === null ? id : `${id}, ${language}`})`,
    );
  const more = all.length > NAMED_MAX ? ` and ${all.length - NAMED_MAX} more` : '';
  return `${named.join(', ')}${more}`;
}
