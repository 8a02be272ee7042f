import type { Meaning, Part, Tag } from '../tag.ts';
import { BOXES } from './boxes.ts';
import { CARDS, linkOf } from './cards.ts';
import { CODE } from './code.ts';
import { FIELDS } from './fields.ts';
import { FILES } from './files.ts';
import { FOLDS } from './folds.ts';
import { imageOf, MEDIA } from './media.ts';
import { plainName } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';
import { ARRANGING, SMALL } from './small.ts';
import { STEPS } from './steps.ts';
import { TABS } from './tabs.ts';

const PARTS: PartRules = {
  ...ARRANGING,
  ...SMALL,
  ...MEDIA,
  ...FILES,
  ...FIELDS,
  ...CODE,
  ...CARDS,
  ...FOLDS,
  ...STEPS,
  ...TABS,
  ...BOXES,
};

/** What the generators' own parts become, by their names in the documentation of each; undefined: none of them. */
export function knownPart(part: Part): Meaning | undefined {
  const name = plainName(part.tag.name);
  return Object.hasOwn(PARTS, name) ? PARTS[name]?.(part) : undefined;
}

/** Whether there is a rule for parts of this name, whatever their arguments are. */
export function isKnownName(name: string): boolean {
  return Object.hasOwn(PARTS, plainName(name)) || OF_HUGO.has(name);
}

/** Whether the rule for parts of this name writes a picture: `<Image>` of Next.js, `<ThemedImage>` of Docusaurus. */
export function isPictureName(name: string): boolean {
  const plain = plainName(name);
  return Object.hasOwn(PARTS, plain) && PARTS[plain] === imageOf;
}

/** Whether the rule for parts of this name writes a link: `<Link>` of Docusaurus and Next.js. */
export function isLinkName(name: string): boolean {
  const plain = plainName(name);
  return Object.hasOwn(PARTS, plain) && PARTS[plain] === linkOf;
}

/**
 * Parts that a site shows to some readers only: `encrypt` of VuePress Plume, `hugo-encryptor` of Hugo, `<If roles={["admins"]}>` of Fern, `{% if visitor.claims.beta %}` of GitBook.
 * Only a rule of its own name publishes one.
 */
export function isLocked({ name, args, syntax }: Pick<Tag, 'name' | 'args' | 'syntax'>): boolean {
  if (isLockedName(name)) return true;
  const roles = args.computed?.['roles'] ?? args.named['roles'];
  if (name === 'If' && roles !== undefined) return !/\beveryone\b/.test(roles);
  return (
    syntax.what === 'liquid tag' && name === 'if' && args.positional.some((each) => /^visitor\b/.test(each))
  );
}

export function isLockedName(name: string): boolean {
  return LOCKED.has(plainName(name));
}

const LOCKED = new Set(
  'encrypt encrypted encryptor hugo-encryptor hugo-encrypt fixit-encryptor'.split(' ').map(plainName),
);

/** Shortcodes that Hugo has itself. */
const OF_HUGO = new Set('ref relref param comment mermaid x tweet twitter instagram qr readfile'.split(' '));
