import type { Fields } from '../../../model/fields.ts';
import { nameFieldOf } from '../../../model/fields.ts';
import type { ListView } from '../../../model/compare/fingerprint.ts';
import { fingerprint } from '../../../model/compare/fingerprint.ts';
import type { Family } from '../../../model/key.ts';
import { keyIn, kindOf } from '../../../model/key.ts';
import type { Run } from '../../run.ts';
import { ownerOf } from '../../run.ts';
import { lastEditedOf } from '../write/dates.ts';

/** The fingerprints that follow from what was sent and from the dates that the service named. */
export function predictSeen(families: readonly Family[], run: Run): void {
  const views = new Map<Family, ListView>();
  for (const family of families) {
    const view = predictedView(family, run);
    if (view !== undefined) views.set(family, view);
  }
  for (const [family, view] of views) {
    setSeen(family, fingerprint(kindOf(family), view), run);
    run.views.set(family, view);
  }
  renameParents(new Set(families), run);
}

function predictedView(family: Family, run: Run): ListView | undefined {
  const kind = kindOf(family);
  const original = keyIn(family, run.desired.defaultLanguage);
  const fields = run.written.get(original);
  const before = run.input.views.get(family);
  const name = fields?.[nameFieldOf(kind)] ?? before?.name;
  const lastEdited = lastEditedOf(family, run);
  if (typeof name !== 'string' || (kind === 'article' && lastEdited === undefined)) return undefined;
  const translations = run.desired.languages.filter(
    (lang) => lang !== run.desired.defaultLanguage && run.written.has(keyIn(family, lang)),
  );
  const languages = [...(before?.languages ?? []), ...translations].filter(
    (lang) => !run.deleted.has(keyIn(family, lang)),
  );
  if (kind === 'article') {
    const status = fields?.['status'] ?? before?.status;
    return {
      name,
      languages,
      ...(lastEdited === undefined ? {} : { lastEdited }),
      ...(typeof status === 'string' ? { status } : {}),
    };
  }
  if (kind === 'tag') {
    const slug = fields?.['slug'] ?? before?.slug;
    return { name, languages, ...(typeof slug === 'string' ? { slug } : {}) };
  }
  const ordering = fields?.['priority'] ?? before?.ordering;
  const parentName = fields === undefined ? before?.parentName : parentNameOf(fields, run);
  return {
    name,
    languages,
    ...(typeof ordering === 'number' ? { ordering } : {}),
    ...(parentName === undefined ? {} : { parentName }),
  };
}

function parentNameOf(fields: Fields, run: Run): string | undefined {
  const id = fields['categoryParent'];
  return typeof id === 'string' ? nameOfCategory(id, run) : undefined;
}

function nameOfCategory(id: string, run: Run): string | undefined {
  const family = ownerOf('category', id, run);
  if (family === undefined) return undefined;
  const sent = run.written.get(keyIn(family, run.desired.defaultLanguage))?.['name'];
  return typeof sent === 'string' ? sent : run.input.views.get(family)?.name;
}

/** The list shows each category's parent by name: a renamed parent changes the fingerprints of its children. */
function renameParents(written: ReadonlySet<Family>, run: Run): void {
  for (const [family, view] of run.input.views) {
    const key = keyIn(family, run.desired.defaultLanguage);
    const base = run.records.get(key);
    if (kindOf(family) !== 'category' || written.has(family)) continue;
    // An entry that was not trusted before is not trusted now.
    if (base?.seen === undefined || base.seen !== fingerprint('category', view)) continue;
    const parent = base.sent['categoryParent'];
    const parentName = typeof parent === 'string' ? nameOfCategory(parent, run) : undefined;
    if (parentName === undefined || parentName === view.parentName) continue;
    setSeen(family, fingerprint('category', { ...view, parentName }), run);
    run.views.set(family, { ...view, parentName });
  }
}

export function setSeen(family: Family, seen: string | undefined, run: Run): void {
  if (seen === undefined) return;
  const key = keyIn(family, run.desired.defaultLanguage);
  const record = run.records.get(key);
  if (record === undefined) return;
  // A name first: see "The shapes of objects" in docs/operations/benchmarks.md.
  const { id, ...others } = record;
  run.records.set(key, { id, ...others, seen });
}
