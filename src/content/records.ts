import { canonicalValue } from '../model/canonical.ts';
import { digestOfText } from '../model/digest.ts';
import { bodyFieldOf, fieldsOf } from '../model/fields.ts';
import type { FieldValue, Fields } from '../model/fields.ts';
import { KINDS, familyOf } from '../model/key.ts';
import type { Family, Key } from '../model/key.ts';
import type { Place } from '../model/problem.ts';
import type { DesiredBody, DesiredRecord } from '../model/record.ts';
import { checkCycles } from './checks.ts';
import type { Report } from './checks.ts';
import type { ReferenceField } from './read-fields.ts';
import { labelsFor } from './labels.ts';
import type { LinkResolver } from './links.ts';
import { RENDERER } from './markdown.ts';
import type { ContentOptions } from './options.ts';
import { kindOfReference } from './references.ts';
import type { ReferenceIndex } from './references.ts';
import { SANITISER } from './sanitize.ts';
import { originalOf, placeOf } from './source-file.ts';
import type { Site, SourceFile } from './source-file.ts';

/** What the records of a run are made with. */
export interface RecordContext {
  readonly site: Site;
  readonly references: ReferenceIndex;
  readonly links: LinkResolver;
  readonly html: ContentOptions['html'];
  readonly report: Report;
  readonly render: (file: SourceFile, links: ReadonlyMap<string, string>) => string;
}

/** One record for each file; what does not resolve is reported and left out. */
export function desiredRecords(context: RecordContext): ReadonlyMap<Key, DesiredRecord> {
  const { site, report } = context;
  const parents = new Map<SourceFile, Family>();
  for (const file of site.files) {
    const parent =
      file.place.kind === 'category' ? referencesOf(context, file, 'categoryParent', report) : undefined;
    if (parent?.[0] !== undefined) parents.set(file, parent[0]);
  }
  const circular = checkCycles(parents, report);
  const records = new Map<Key, DesiredRecord>();
  for (const file of site.files) {
    const fields: Record<string, FieldValue> = { ...file.document.fields };
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
    records.set(file.key, record(context, file, fields));
  }
  return records;
}

function record(context: RecordContext, file: SourceFile, fields: Fields): DesiredRecord {
  const { kind, lang } = file.place;
  const body = desiredBody(context, file);
  return {
    key: file.key,
    kind,
    family: familyOf(file.key),
    lang,
    isOriginal: lang === context.site.defaultLanguage,
    fields: inOrder(file, fields),
    initial: initialFields(file, fields),
    ...(body === undefined ? {} : { body }),
    at: placeOf(file, undefined),
    // Most records are in step, and nobody asks where their fields stand.
    get places() {
      return placesOf(file);
    },
  };
}

function placesOf(file: SourceFile): Readonly<Record<string, Place>> {
  const places: Record<string, Place> = {};
  for (const [field, spot] of Object.entries(file.document.spots)) places[field] = placeOf(file, spot);
  return places;
}

function inOrder(file: SourceFile, fields: Fields): Fields {
  const ordered: Record<string, FieldValue> = {};
  for (const name of fieldsOf(file.place.kind).keys()) {
    const value = fields[name];
    if (value !== undefined) ordered[name] = value;
  }
  return ordered;
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
  const { site, references } = context;
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
  const original = originalOf(site, file);
  if (original !== undefined && original !== file) {
    const inherited = referencesOf(context, original, field, undefined);
    if (inherited !== undefined) return inherited;
  }
  const family = references.folderCategory(file.place.path, file.place.lang);
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
    const { url, problem } = context.links.resolve(file, value, true);
    if (problem !== undefined) context.report(placeOf(file, file.document.spots[name]), problem);
    if (url !== undefined) fields[name] = url;
  }
}

function desiredBody(context: RecordContext, file: SourceFile): DesiredBody | undefined {
  const source = file.document.body;
  if (source === undefined) return undefined;
  const links = new Map<string, string>();
  for (const { url: written, isImage, spot } of source.outline.links) {
    const { url, problem } = context.links.resolve(file, written, isImage);
    if (problem !== undefined) context.report(placeOf(file, spot), problem);
    if (url !== undefined && url !== written) links.set(written, url);
  }
  const { needsSanitiser } = source.outline;
  const inputs = [
    source.translatedDigest ?? source.digest,
    [...links].sort(([a], [b]) => (a < b ? -1 : 1)),
    RENDERER,
    context.html,
    needsSanitiser ? SANITISER : '',
    labelsFor(file.place.lang),
  ];
  return {
    field: bodyFieldOf(file.place.kind),
    inputDigest: digestOfText(JSON.stringify(inputs)),
    render: () => context.render(file, links),
  };
}
