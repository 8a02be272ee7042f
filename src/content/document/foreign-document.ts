import { fieldsOf } from '../../model/fields.ts';
import type { FrontMatter } from '../front-matter/front-matter.ts';
import { labelsFor } from '../labels.ts';
import { editedText } from '../presets/syntax/edits.ts';
import { lockedBy } from '../presets/pages/locked-pages.ts';
import type { Dialect, Edit, EditedText, SiteAddress, Translation } from '../presets/preset.ts';
import { HOME } from '../presets/pages/page-tree.ts';
import { humanName } from '../presets/pages/page-preset.ts';
import { withEmoji } from '../markdown/emoji-codes.ts';
import { headingTitle, isSameTitle } from '../presets/syntax/heading-title.ts';
import type { HeadingTitle } from '../presets/syntax/heading-title.ts';
import type { DocumentOptions, DocumentPlace, FieldKeys } from './fields.ts';
import type { ContentOptions } from '../options.ts';
import { START } from '../source-text.ts';
import type { LocalProblem, Spot } from '../source-text.ts';

export interface ForeignBody extends EditedText {
  /** The heading that became the title and is no part of the text. */
  readonly title?: { readonly text: string; readonly id?: string };
  /** Texts of other files are in it. */
  readonly hasIncludes: boolean;
  /** What the translation takes out of the author's text; undefined: nothing, or the text holds others' too. */
  readonly removed?: Removed | undefined;
}

export interface Removed {
  readonly chars: number;
  /** The piece that loses most. */
  readonly most: Edit;
  /** Words inside parts that the author's own rules drop. */
  readonly wordsByRule: number;
}

export interface ForeignDocument {
  /** The front matter with our meanings; its body is still the author's. */
  readonly source: FrontMatter;
  /** Our field → the key to read it under; undefined: the file does not have it. */
  readonly fields: FieldKeys;
  /** Addresses of the page in its own system, besides the one of its path. */
  readonly addresses: readonly string[];
  readonly siteAddress?: SiteAddress | undefined;
  readonly body: ForeignBody;
  readonly problems: readonly LocalProblem[];
  /** Its own system makes no page of it: why. */
  readonly leftOut?: string;
  /** What shows it to some readers only; then it is left out. */
  readonly lockedBy?: string | undefined;
  /** Its own system does not publish it now, whatever the dates say. */
  readonly isDraft: boolean;
}

type ForeignOptions = DocumentOptions & { readonly dialect: Dialect };

/** What another system's file says, in our words. */
export function foreignDocument(
  written: FrontMatter,
  place: DocumentPlace,
  options: ForeignOptions,
): ForeignDocument {
  const {
    source,
    fields,
    addresses,
    siteAddress,
    leftOut,
    lockedBy: locked,
    isDraft,
  } = foreignFields(written, place, options.dialect, options.fields);
  const translation = translated(written.body, place, options);
  const plain = plainText(written.body, translation);
  const name = place.kind === 'article' ? 'title' : 'name';
  const key = fields[name] ?? name;
  const said = source.values.get(key);
  const isNamed = said !== undefined && said !== null && said !== '';
  const found = headingTitle(plain.text);
  const heading = found && { ...found, title: shownTitle(found.title, options.dialect) };
  const other = otherHeading(heading, isNamed ? said : place.title, place, options.dialect);
  const title = other ?? (isNamed ? undefined : (place.title ?? heading?.title ?? nameInWords(place)));
  const shown = title ?? (typeof said === 'string' ? said : '');
  // A reader sees the title above the text: the heading that says the same is no part of it.
  const hasHeadingTitle = heading !== undefined && isSameTitle(heading.title, shown);
  const values = new Map(source.values);
  if (title !== undefined) values.set(key, title);
  if (isDraft && place.kind === 'article') values.set(fields['status'] ?? 'status', 'draft');
  const line = plain.sourceSpot({ line: heading?.line ?? 1, column: 1 }).line + written.bodyLine - 1;
  return {
    source: {
      ...source,
      values,
      typed: () => (title === undefined ? source.typed() : new Map([...source.typed(), [key, title]])),
      spotOf: (wanted) => {
        if (wanted !== key || title === undefined) return source.spotOf(wanted);
        const isOfHeading = other !== undefined || place.title === undefined;
        return hasHeadingTitle && isOfHeading ? { line, column: 1 } : START;
      },
    },
    fields,
    addresses,
    siteAddress,
    ...(leftOut === undefined ? {} : { leftOut }),
    lockedBy: locked,
    isDraft,
    body: {
      ...bodyText(written.body, translation, hasHeadingTitle),
      ...(heading === undefined || !hasHeadingTitle
        ? {}
        : {
            title: {
              text: found?.title ?? heading.title,
              ...(heading.id === undefined ? {} : { id: heading.id }),
            },
          }),
      hasIncludes: translation.expanded !== undefined,
      removed: removedBy(translation),
    },
    problems: translation.problems.map((problem) => ({
      ...problem,
      spot: { line: problem.spot.line + written.bodyLine - 1, column: problem.spot.column },
    })),
  };
}

function shownTitle(title: string, { extensions }: Dialect): string {
  return extensions?.hasEmojiCodes === true ? withEmoji(title) : title;
}

/** The heading that the site shows in place of the title that the front matter or a navigation says. */
function otherHeading(
  heading: HeadingTitle | undefined,
  said: unknown,
  { kind }: DocumentPlace,
  { showsOwnHeading }: Dialect,
): string | undefined {
  if (heading?.isLeading !== true || showsOwnHeading !== true || kind !== 'article') return undefined;
  return typeof said === 'string' && !isSameTitle(heading.title, said) ? heading.title : undefined;
}

/** What a file without any title is called. */
function nameInWords({ path }: DocumentPlace): string {
  return humanName(path === '' ? HOME : path);
}

/** A body as our Markdown, when it is rendered again. */
export function foreignBody(
  body: string,
  place: DocumentPlace,
  options: ForeignOptions,
  hasHeadingTitle: boolean,
): EditedText {
  return bodyText(body, translated(body, place, options), hasHeadingTitle);
}

function translated(
  body: string,
  place: DocumentPlace,
  { dialect, components, html }: ForeignOptions,
): Translation {
  return dialect.translate(body, {
    rules: components ?? {},
    labels: labelsFor(place.lang),
    isMdx: place.isMdx === true,
    keepsFrames: html === 'trust',
    page:
      place.file === undefined || dialect.surroundings === undefined
        ? undefined
        : { ...dialect.surroundings, file: place.file },
  });
}

function removedBy({ edits, expanded, wordsByRule = 0 }: Translation): Removed | undefined {
  const lossOf = ({ start, end, text }: Edit): number => end - start - text.length;
  let most: Edit | undefined;
  let chars = 0;
  for (const edit of expanded === undefined ? edits : []) {
    chars += Math.max(0, lossOf(edit));
    if (most === undefined || lossOf(edit) > lossOf(most)) most = edit;
  }
  return most === undefined ? undefined : { chars, most, wordsByRule };
}

/** The body with its includes and translated, spots found back to the author's text. */
function plainText(body: string, { edits, expanded }: Translation): EditedText {
  if (expanded === undefined) return editedText(body, edits);
  const plain = editedText(expanded.text, edits);
  return { text: plain.text, sourceSpot: (spot) => expanded.sourceSpot(plain.sourceSpot(spot)) };
}

function bodyText(body: string, translation: Translation, hasHeadingTitle: boolean): EditedText {
  const plain = plainText(body, translation);
  if (!hasHeadingTitle) return plain;
  const heading = headingTitle(plain.text);
  if (heading === undefined) return plain;
  const cut: Edit = { start: heading.start, end: heading.end, text: '' };
  const without = editedText(plain.text, [cut]);
  return { text: without.text, sourceSpot: (spot) => plain.sourceSpot(without.sourceSpot(spot)) };
}

interface ForeignFields {
  readonly source: FrontMatter;
  /** Our field → the key to read it under; undefined: the file does not have it. */
  readonly fields: FieldKeys;
  /** As written, from the root. */
  readonly addresses: readonly string[];
  readonly siteAddress?: SiteAddress | undefined;
  readonly leftOut?: string | undefined;
  readonly lockedBy?: string | undefined;
  readonly isDraft: boolean;
}

/** Keys that are read although they are no fields. */
const OWN_KEYS = ['translationKey', 'movedFrom', 'aliases', 'lang', 'publishAt', 'unpublishAt'];

/**
 * Another system's front matter as ours: of its keys only those that mean one of our fields, with flags turned into our
 * values. Its other keys are the system's business. `fields` says under which key each field was found, for messages.
 */
function foreignFields(
  source: FrontMatter,
  place: DocumentPlace,
  dialect: Dialect,
  mapping: ContentOptions['fields'],
): ForeignFields {
  const written = flattened(source.values);
  const plain = (key: string): string => (dialect.hasCaselessKeys ? key.toLowerCase() : key);
  const spelled = new Map<string, string>();
  for (const key of written.keys()) if (!spelled.has(plain(key))) spelled.set(plain(key), key);
  const values = new Map<string, unknown>();
  const fields: Record<string, string | undefined> = {};
  const spelling = new Map<string, string>();
  const missing: (readonly [field: string, key: string])[] = [];
  /** The system's own date counts where the file does not say ours. */
  const schedule = (key: string | undefined, field: string, said?: string): void => {
    const found = key === undefined ? undefined : spelled.get(plain(key));
    const value = found === undefined ? said : written.get(found);
    if (value === undefined || values.has(field)) return;
    values.set(field, value);
    spelling.set(field, found ?? field);
  };
  for (const field of [...fieldsOf(place.kind).keys(), ...OWN_KEYS]) {
    const own = Object.hasOwn(mapping, field) ? mapping[field] : undefined;
    const wanted = own === undefined ? (dialect.fields[field] ?? []) : [own];
    const found = wanted
      .map((name) => ({ isOpposite: OPPOSITE.test(name), key: spelled.get(plain(name.replace(/^!/, ''))) }))
      .find(({ key }) => key !== undefined);
    if (found?.key === undefined) {
      missing.push([field, wanted[0] ?? field]);
      continue;
    }
    const key = OWN_KEYS.includes(field) ? field : found.key;
    spelling.set(key, found.key);
    fields[field] = key;
    values.set(key, converted(field, written.get(found.key), found.isOpposite));
  }
  const get = (key: string): unknown => written.get(spelled.get(plain(key)) ?? key);
  const {
    leftOut,
    isDraft = false,
    ...dates
  } = dialect.publication?.({ place, get, body: source.body }) ?? {};
  const locked = dates.lockedBy ?? lockedBy(get);
  schedule(dates.publishKey, 'publishAt', dates.publishAt);
  schedule(dates.unpublishKey, 'unpublishAt');
  // A key that was picked for one field must not be read for another that happens to have its name.
  for (const [field, key] of missing) fields[field] = values.has(key) ? undefined : key;
  return {
    fields,
    leftOut:
      leftOut ?? (locked === undefined ? undefined : `${locked}: the site shows it to some readers only`),
    lockedBy: locked,
    isDraft: isDraft || place.isDraft === true,
    siteAddress: dialect.siteAddress?.({ place, get, body: source.body }),
    addresses: [
      ...dialect.addressKeys.flatMap((said) => {
        const name = said.replace(/^(?:\.\/|xref:)/, '');
        const found = addressesIn(written.get(spelled.get(plain(name)) ?? name));
        if (said.startsWith('xref:')) return found.map((each) => `xref:${each}`);
        const folder = place.path.slice(0, place.path.lastIndexOf('/') + 1);
        return said === name
          ? found
          : found.map((each) => (each.startsWith('/') ? each : `${folder}${each}`));
      }),
      ...addressesIn(dialect.ownAddresses?.({ place, get, body: source.body })),
    ],
    source: { ...source, values, spotOf: (key) => spotIn(source, spelling.get(key) ?? key) },
  };
}

/** One address or several; only those from the root, without patterns. */
function addressesIn(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string').filter((item) => /^\/?[^\s:*]+$/.test(item));
}

/** `sidebar: { order: 1 }` as `sidebar.order` besides. */
export function flattened(values: FrontMatter['values']): ReadonlyMap<string, unknown> {
  const all = new Map<string, unknown>(values);
  for (const [key, value] of values) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const [inner, its] of Object.entries(value)) all.set(`${key}.${inner}`, its);
  }
  return all;
}

function spotIn(source: FrontMatter, key: string): Spot {
  return source.spotOf(source.values.has(key) ? key : (key.split('.')[0] ?? key));
}

/** `!search: false` hides, `published: false` is a draft. */
export const OPPOSITE = /^!|^publish(?:ed)?$/i;

/** `draft: true` is a status, `search: false` hides. */
function converted(field: string, value: unknown, isOpposite: boolean): unknown {
  // `published: 2020-04-28` is the day on which it was.
  if (field === 'status' && isOpposite && typeof value === 'string' && /^\d{4}-\d\d/.test(value))
    return 'published';
  // Hugo and Quartz take the word for the flag.
  const word =
    field === 'status' && typeof value === 'string' ? /^(?:true|false)$/i.exec(value)?.[0] : undefined;
  const flag = word === undefined ? value : word.toLowerCase() === 'true';
  if (typeof flag !== 'boolean') return value;
  if (field === 'status') return flag === isOpposite ? 'published' : 'draft';
  return isOpposite ? !flag : flag;
}
