import type { Capabilities } from './record.ts';
import type { Kind, Lang } from './key.ts';

/** What a service showed in front of the slug that it was sent: `help/` of `help/install`. Undefined: not that slug with a path. */
export function frontOf(sent: string, shown: string): string | undefined {
  const front = shown.slice(0, shown.length - sent.length);
  return sent !== '' && front.endsWith('/') && shown === `${front}${sent}` ? front : undefined;
}

/** The slug as it must be sent to be shown like this, by a service that puts `front` before each slug. */
export function withoutFront(slug: string, front: string | undefined): string {
  return front === undefined || front === '' || !slug.startsWith(front) || slug === front
    ? slug
    : slug.slice(front.length);
}

/** What this service puts in front of such slugs; '' where it was seen to put different paths there; undefined: nothing seen. */
export function knownFront(
  { slugFronts = [] }: Capabilities,
  kind: Kind,
  lang: Lang | undefined,
): string | undefined {
  const name = nameOf(kind, lang);
  return slugFronts.find((each) => each.startsWith(name))?.slice(name.length);
}

/** The capability with another front; undefined takes it out. */
export function withFront(
  { slugFronts = [] }: Capabilities,
  { kind, lang }: { readonly kind: Kind; readonly lang: Lang },
  front: string | undefined,
): Pick<Capabilities, 'slugFronts'> {
  const name = nameOf(kind, lang);
  const others = slugFronts.filter((each) => !each.startsWith(name));
  return { slugFronts: front === undefined ? others : [...others, `${name}${front}`].sort() };
}

/** No code of a language has a space. */
function nameOf(kind: Kind, lang: Lang | undefined): string {
  return `${kind}@${lang ?? ''} `;
}
