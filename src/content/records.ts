import { canonicalValue } from '../model/compare/canonical.ts';
import type { Digest } from '../model/digest.ts';
import { digestsIn } from '../model/address/file-address.ts';
import { emptyBody, inputDigestOf } from '../model/input-digest.ts';
import { bodyFieldOf, fieldsOf } from '../model/fields.ts';
import type { FieldValue, Fields } from '../model/fields.ts';
import { KINDS, familyOf } from '../model/key.ts';
import type { Family, Key } from '../model/key.ts';
import type { Place } from '../model/problem.ts';
import type { DesiredBody, DesiredRecord, LocalFile, Scheduled } from '../model/record.ts';
import { checkCycles } from './corpus/checks.ts';
import type { Report } from './corpus/checks.ts';
import { bodyFile } from './bodies.ts';
import type { BodyFile, RenderBody } from './bodies.ts';
import type { BodySource } from './document/document.ts';
import type { ReferenceField } from './document/fields.ts';
import { labelsFor } from './labels.ts';
import type { LinkResolver } from './links/link.ts';
import type { LinkWriter } from './links/write-links.ts';
import { RENDERER } from './markdown/markdown.ts';
import type { ContentOptions } from './options.ts';
import type { Dialect } from './presets/preset.ts';
import { kindOfReference } from './corpus/references.ts';
import type { ReferenceIndex } from './corpus/references.ts';
import { SANITISER } from './markdown/sanitise.ts';
import { originalOf, placeOf } from './corpus/corpus.ts';
import type { Corpus, SourceFile } from './corpus/corpus.ts';
import type { Spot } from './source-text.ts';

/** What the records of a run are made with. */
export interface RecordContext {
  readonly corpus: Corpus;
  readonly references: ReferenceIndex;
  readonly links: LinkResolver;
  readonly addresses: LinkWriter;
  /** By digest: what the service keeps. */
  readonly files: ReadonlyMap<string, LocalFile> | undefined;
  readonly html: ContentOptions['html'];
  readonly nowMs: number;
  readonly report: Report;
  readonly render: RenderBody;
  /** Told of each body that is not empty: address as written → address to write. */
  readonly onLinks: (key: Key, links: ReadonlyMap<string, string>) => void;
}

type LinkContext = Pick<RecordContext, 'links' | 'addresses' | 'report' | 'html'>;

/** One record for each file; what does not resolve is reported and left out. */
export function desiredRecords(context: RecordContext): ReadonlyMap<Key, DesiredRecord> {
  const { corpus, report } = context;
  const parents = new Map<SourceFile, Family>();
  for (const file of corpus.files) {
    const parent =
      file.place.kind === 'category' ? referencesOf(context, file, 'categoryParent', report) : undefined;
    if (parent?.[0] !== undefined) parents.set(file, parent[0]);
  }
  const circular = checkCycles(parents, report);
  const records = new Map<Key, DesiredRecord>();
  for (const file of corpus.files) {
    const fields: Record<string, FieldValue> = {};
    Object.assign(fields, file.document.fields);
    if (file.place.kind === 'category') {
      const parent = circular.has(file) ? undefined : parents.get(file);
      if (parent !== undefined) fields['categoryParent'] = parent;
      else if (file.document.references.categoryParent === null) fields['categoryParent'] = null;
    }
    if (file.place.kind === 'article') {
      for (const field of ['categories', 'tags'] as const) {
        const families = referencesOf(context, file, field, report);
        if (families !== undefined) fields[field] = canonicalValue('refs', families);
      }
    }
    resolveAddresses(context, file, fields);
    const { isPublic, scheduled } = visibilityOf(file, context.nowMs);
    if (file.document.schedule !== undefined && file.place.kind === 'article')
      fields['status'] = isPublic ? 'published' : 'draft';
    records.set(file.key, record(context, file, fields, { isPublic, scheduled }));
  }
  return records;
}

function record(
  context: RecordContext,
  file: SourceFile,
  fields: Fields,
  { isPublic, scheduled }: Visibility,
): DesiredRecord {
  const { kind, lang } = file.place;
  // Categories and tags have no status: of one that is not public yet, only the name is, because articles are in it.
  const isBare = kind !== 'article' && !isPublic;
  const source = isBare ? undefined : file.document.body;
  const links = source === undefined ? NO_LINKS : addressesIn(context, file, source);
  const body = isBare ? emptyBody(kind) : source && desiredBody(context, file, source, links);
  const files = filesOf(context, [...links.values(), ...ADDRESS_FIELDS.map((name) => fields[name])]);
  return {
    key: file.key,
    kind,
    family: familyOf(file.key),
    lang,
    isOriginal: lang === context.corpus.defaultLanguage,
    fields: inOrder(file, isBare ? { ...fields, description: '' } : fields),
    initial: initialFields(file, fields),
    ...(body === undefined ? {} : { body }),
    ...(files.length === 0 ? {} : { files }),
    ...(scheduled === undefined || kind !== 'article' ? {} : { scheduled }),
    ...(file.document.sourceCommit === undefined ? {} : { sourceCommit: file.document.sourceCommit }),
    at: placeOf(file, undefined),
    // Most records are in sync, and nobody asks where their fields stand. A getter would give each record a shape of its own.
    places: placesIn(file.shown, file.document.spots),
  };
}

const NO_LINKS: ReadonlyMap<string, string> = new Map();

function filesOf(
  { files }: RecordContext,
  addresses: readonly (FieldValue | undefined)[],
): readonly string[] {
  if (files === undefined || files.size === 0) return [];
  const digests = addresses.flatMap((address) => (typeof address === 'string' ? digestsIn(address) : []));
  return [...new Set(digests)].filter((digest) => files.has(digest));
}

/** A function of its own, because a closure keeps all that its own function works with. */
function placesIn(
  file: string,
  spots: SourceFile['document']['spots'],
): () => Readonly<Record<string, Place>> {
  return () => {
    const places: Record<string, Place> = {};
    for (const [field, { line, column }] of Object.entries(spots)) places[field] = { file, line, column };
    return places;
  };
}

function inOrder(file: SourceFile, fields: Fields): Fields {
  const ordered: Record<string, FieldValue> = {};
  for (const name of fieldsOf(file.place.kind).keys()) {
    const value = fields[name];
    if (value !== undefined) ordered[name] = value;
  }
  return ordered;
}

interface Visibility {
  readonly isPublic: boolean;
  readonly scheduled: Scheduled | undefined;
}

/** Whether readers may see the record at a moment, and what its next date makes of it. */
function visibilityOf({ document }: SourceFile, nowMs: number): Visibility {
  const { publishAt, unpublishAt } = document.schedule ?? {};
  const isDraft = document.isDraft === true || document.fields['status'] === 'draft';
  if (isDraft) return { isPublic: false, scheduled: undefined };
  if (publishAt !== undefined && Date.parse(publishAt) > nowMs)
    return { isPublic: false, scheduled: { becomes: 'published', at: publishAt } };
  if (unpublishAt === undefined) return { isPublic: true, scheduled: undefined };
  if (Date.parse(unpublishAt) <= nowMs) return { isPublic: false, scheduled: undefined };
  return { isPublic: true, scheduled: { becomes: 'draft', at: unpublishAt } };
}

/** The last date in the files that has passed, and the next that has not. */
export function datesAround(
  files: readonly SourceFile[],
  nowMs: number,
): { readonly sinceMs?: number; readonly untilMs?: number } {
  let sinceMs: number | undefined;
  let untilMs: number | undefined;
  for (const { document } of files) {
    for (const at of Object.values(document.schedule ?? {})) {
      const ms = Date.parse(at);
      if (ms > nowMs) untilMs = Math.min(ms, untilMs ?? ms);
      else sinceMs = Math.max(ms, sinceMs ?? ms);
    }
  }
  return { ...(sinceMs === undefined ? {} : { sinceMs }), ...(untilMs === undefined ? {} : { untilMs }) };
}

/** What a create sends where the author says nothing; never part of an edit. */
function initialFields(file: SourceFile, owned: Fields): Fields {
  const { kind } = file.place;
  const values: Record<string, FieldValue> = {};
  if (kind === 'article') {
    if (owned['excerpt'] === undefined) values['excerpt'] = file.document.derivedExcerpt ?? '';
    if (owned['ordering'] === undefined) values['ordering'] = 0;
    if (owned['status'] === undefined) values['status'] = 'published';
  }
  if (kind === 'category' && owned['priority'] === undefined) values['priority'] = 0;
  return values;
}

/**
 * The families that a file names, or undefined where the field is not ours. A translation that is silent takes what its
 * original has; an original that is silent takes the category of its folder.
 */
function referencesOf(
  context: RecordContext,
  file: SourceFile,
  field: ReferenceField,
  report: Report | undefined,
): readonly Family[] | undefined {
  const { corpus, references } = context;
  const written = file.document.references[field];
  if (written === null) return [];
  if (written !== undefined) {
    const resolved = written.map(({ name, spot }) => {
      const found = references.resolve(kindOfReference(field), name, file.place.lang);
      if ('problem' in found) report?.(placeOf(file, spot), found.problem);
      return 'family' in found ? found.family : undefined;
    });
    const families = resolved.filter((family) => family !== undefined);
    // Nothing of the list is known: an empty list would take the article out of every category.
    return families.length === 0 && written.length > 0 ? undefined : families;
  }
  if (field === 'tags') return undefined;
  const original = originalOf(corpus, file);
  if (original !== undefined && original !== file) {
    const inherited = referencesOf(context, original, field, undefined);
    if (inherited !== undefined) return inherited;
  }
  const family = references.folderCategory(file.place);
  return family === undefined || family === familyOf(file.key) ? undefined : [family];
}

const ADDRESS_FIELDS = KINDS.flatMap((kind) => [...fieldsOf(kind)])
  .filter(([, { type }]) => type === 'url')
  .map(([name]) => name);

/** Banner, thumbnail and icon may be files of the content folder, like any image. */
function resolveAddresses(
  context: RecordContext,
  file: SourceFile,
  fields: Record<string, FieldValue>,
): void {
  for (const name of ADDRESS_FIELDS) {
    const value = fields[name];
    if (typeof value !== 'string') continue;
    const url = addressFor(context, file, { url: value, isImage: true, spot: file.document.spots[name] });
    if (url !== undefined) fields[name] = url;
  }
}

/** The address to write, or undefined: it stays as written. What is wrong with it is reported. */
function addressFor(
  { links, addresses, report, html }: LinkContext,
  file: SourceFile,
  link: {
    readonly url: string;
    readonly isImage: boolean;
    readonly spot: Spot | undefined;
    readonly isUnused?: true;
  },
): string | undefined {
  const { target, problem } = links.resolve(file, link.url, link.isImage);
  const written = addresses.write(target, link.url);
  const found = problem ?? written.problem;
  // Without the sanitiser nothing is left out.
  const isKept = found?.code === 'html-dropped' && html === 'trust';
  if (found !== undefined && link.isUnused !== true && !isKept) report(placeOf(file, link.spot), found);
  return written.url;
}

function desiredBody(
  context: RecordContext,
  file: SourceFile,
  source: BodySource,
  links: ReadonlyMap<string, string>,
): DesiredBody {
  context.onLinks(file.key, links);
  const { dialect } = context.corpus.preset.foreign ?? {};
  return {
    field: bodyFieldOf(file.place.kind),
    inputDigest: inputDigest(source, links, { html: context.html, lang: file.place.lang, dialect }),
    render: renderOf(context.render, bodyFile(file, source), links),
  };
}

/** A function of its own for the same reason. */
function renderOf(
  render: RenderBody,
  file: BodyFile,
  links: ReadonlyMap<string, string>,
): DesiredBody['render'] {
  return (asked) => render(file, links, asked);
}

interface BodyRules {
  readonly html: ContentOptions['html'];
  readonly lang: string;
  readonly dialect: Pick<Dialect, 'headingIds' | 'extensions'> | undefined;
}

export function inputDigest(
  source: BodySource,
  links: ReadonlyMap<string, string>,
  { html, lang, dialect }: BodyRules,
): Digest {
  const others = [
    [...links].sort(([a], [b]) => (a < b ? -1 : 1)),
    RENDERER,
    html,
    source.outline.needsSanitiser ? SANITISER : '',
    labelsFor(lang),
    ...(dialect?.headingIds === undefined ? [] : [dialect.headingIds]),
    ...Object.entries(dialect?.extensions ?? {}).flatMap(([name, isOn]) => (isOn === true ? [name] : [])),
    ...(source.titleId === undefined ? [] : [source.titleId]),
  ];
  return inputDigestOf(source.translatedDigest ?? source.digest, others);
}

/** Address as written → address to write, for the links of a body. */
export function addressesIn(
  context: LinkContext,
  file: SourceFile,
  { outline }: BodySource,
): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const link of outline.links) {
    const url = addressFor(context, file, link);
    if (url !== undefined && url !== link.url) links.set(link.url, url);
  }
  return links;
}
