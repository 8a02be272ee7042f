import type { Store } from './habit.ts';
import { newId } from './ids.ts';
import { BODY_OF, emptyValues, equalValues, FIELDS, NAME_OF, nameOf, sameWords, slugOf } from './row.ts';
import type { Actor, Entry, Kind, Row, Sight, Value, Values } from './row.ts';
import type { Rules } from './rules.ts';

export type Done =
  | { readonly ok: true; readonly row: Row | undefined }
  | { readonly ok: false; readonly status: number; readonly message: string };

/** The knowledge base itself: rows, the rules by which they change, and a ledger of everything that became of them. */
export interface Site {
  readonly rules: Rules;
  readonly rows: readonly Row[];
  readonly ledger: readonly Entry[];
  readonly sights: readonly Sight[];
  readonly serial: () => number;
  living(kind: Kind): readonly Row[];
  find(kind: Kind, id: string): Row | undefined;
  translationsOf(row: Row): readonly Row[];
  inLanguage(row: Row, language: string): Row | undefined;
  create(by: Actor, kind: Kind, sent: Values): Done;
  edit(by: Actor, row: Row, language: string | undefined, sent: Values): Done;
  remove(by: Actor, row: Row): Done;
  /** Somebody was shown this row. */
  saw(by: Actor, row: Row): void;
  /** The values that a reader is shown now: those of before, while an edit is on its way or a replica is behind. */
  visible(row: Row): Values;
  /** What a single read shows of a row, and its date: those of before, where an old copy answers. */
  single(row: Row): { readonly stored: Values; readonly editedMs: number };
}

export interface SiteOptions {
  readonly rules: Rules;
  readonly stores: readonly Store[];
  readonly now: () => number;
  readonly random: () => number;
}

export const DEFAULT_LANGUAGE = 'en';

export function createSite({ rules, stores, now, random }: SiteOptions): Site {
  const rows: Row[] = [];
  const ledger: Entry[] = [];
  const sights: Sight[] = [];
  let serial = 0;
  let reads = 0;
  let singles = 0;

  const kept = (kind: Kind, values: Values, row?: Row): Values =>
    Object.fromEntries(
      Object.entries(values).map(([field, value]) => [
        field,
        stores.reduce((result, store) => store(result, field, kind, { row, sent: values, rows, now }), value),
      ]),
    );
  const isAlive = (row: Row): boolean => row.deleted === undefined;
  const living = (kind: Kind): readonly Row[] => rows.filter((row) => row.kind === kind && isAlive(row));
  const translationsOf = (row: Row): readonly Row[] =>
    rows.filter((each) => each.original === row && isAlive(each));
  const inLanguage = (row: Row, language: string): Row | undefined =>
    sameLanguage(row.language, language)
      ? row
      : translationsOf(row).find((each) => sameLanguage(each.language, language));

  /** The one place where a row changes. */
  const change = (by: Actor, row: Row, sent: Values, after: Values, raw: Values): void => {
    const before = row.stored;
    const changed = Object.keys(after).filter((field) => !equalValues(before[field], after[field]));
    const worded = changed.filter((field) => !sameWords(field, before[field], after[field]));
    ledger.push({
      serial: ++serial,
      atMs: now(),
      by,
      what: 'edit',
      row,
      sent,
      before,
      after,
      authorsBefore: row.authors,
    });
    row.authors = { ...row.authors, ...Object.fromEntries(worded.map((field) => [field, by])) };
    row.raw = { ...row.raw, ...raw };
    if (changed.length === 0) return;
    row.past.push({ untilMs: now(), stored: before, editedMs: row.editedMs });
    row.stored = after;
    row.version++;
    if (
      rules.editedMoves === 'edit' ||
      (rules.editedMoves === 'content' && changed.includes(BODY_OF[row.kind]))
    )
      row.editedMs = now();
    if (row.original !== undefined && rules.translationMoves) row.original.editedMs = now();
  };

  /** What an edit stores, field by field; an echo of the stored value leaves `raw` alone. */
  const save = (by: Actor, row: Row, sent: Values): void => {
    const named = Object.fromEntries(
      Object.entries(sent).filter(
        ([field, value]) => isField(row.kind, field) && !(value === null && rules.nullMeans === 'nothing'),
      ),
    );
    const asked = rules.leftOut === 'reset' ? { ...optionalEmpty(row.kind), ...named } : named;
    const raw = Object.fromEntries(
      Object.entries(asked).filter(([field, value]) => !sameWords(field, value, row.stored[field])),
    );
    change(by, row, sent, { ...row.stored, ...kept(row.kind, asked, row) }, raw);
    share(by, row, asked, raw);
    if (rules.renumbers && row.kind === 'article' && row.original === undefined) renumber(row);
  };

  const share = (by: Actor, row: Row, asked: Values, raw: Values): void => {
    const shared = Object.keys(asked).filter((field) => rules.shared.includes(field));
    if (shared.length === 0) return;
    const original = row.original ?? row;
    for (const other of [original, ...translationsOf(original)]) {
      if (other === row) continue;
      const values = pick(row.stored, shared);
      if (shared.every((field) => equalValues(other.stored[field], values[field]))) continue;
      change(
        by,
        other,
        {},
        { ...other.stored, ...values },
        { ...pick(row.raw, shared), ...pick(raw, shared) },
      );
    }
  };

  const renumber = (row: Row): void => {
    const [category] = listOf(row.stored['categories']);
    const siblings = living('article').filter(
      (each) => each.original === undefined && listOf(each.stored['categories'])[0] === category,
    );
    const sorted = [...siblings].sort((a, b) => Number(a.stored['ordering']) - Number(b.stored['ordering']));
    for (const [index, each] of sorted.entries()) {
      if (each.stored['ordering'] === index + 1) continue;
      change('the service', each, {}, { ...each.stored, ordering: index + 1 }, {});
    }
  };

  const rowWithSlug = (kind: Kind, slug: string, language: string, except?: Row): Row | undefined =>
    rows.find(
      (row) =>
        row !== except &&
        row.kind === kind &&
        (isAlive(row) || rules.slugsStayTaken) &&
        slugOf(row) === slug &&
        (rules.slugScope === 'all' ? !isSameFamily(row, except) : sameLanguage(row.language, language)),
    );

  /** The slug under which the service keeps a record, or why it does not. */
  const slugFor = (
    kind: Kind,
    sent: Values,
    language: string,
    row?: Row,
  ): { slug?: string; refusal?: Done } => {
    const wanted = sent['slug'];
    if (typeof wanted !== 'string' || wanted === '') return {};
    const slug = String(kept(kind, { ...sent, slug: wanted }, row)['slug']);
    const holder = rowWithSlug(kind, slug, language, row);
    if (holder === undefined || rules.slugTaken === 'allow') return { slug };
    if (rules.slugTaken === 'reject')
      return { refusal: refused(409, `The slug "${slug}" is already in use.`) };
    for (let number = 1; ; number++) {
      const other = `${slug}-${number}`;
      if (rowWithSlug(kind, other, language, row) === undefined) return { slug: other };
    }
  };

  const create = (by: Actor, kind: Kind, sent: Values): Done => {
    const wrong = wrongReference(kind, sent);
    if (wrong !== undefined) return wrong;
    const name = String(sent[NAME_OF[kind]] ?? '');
    const sameSlug = rows.find(
      (row) => row.kind === kind && row.original === undefined && slugOf(row) === sent['slug'],
    );
    if (rules.createWithSlug === 'upserts' && sameSlug !== undefined && isAlive(sameSlug)) {
      save(by, sameSlug, sent);
      return { ok: true, row: sameSlug };
    }
    if (rules.createWithSlug === 'revives' && sameSlug !== undefined && !isAlive(sameSlug)) {
      delete sameSlug.deleted;
      save(by, sameSlug, sent);
      return { ok: true, row: sameSlug };
    }
    const namesake = living(kind).find((row) => row.original === undefined && nameOf(row) === name);
    if (namesake !== undefined && rules.nameTaken !== 'allow')
      return rules.nameTaken === 'reject'
        ? refused(422, `There is already something with the name "${name}".`)
        : { ok: true, row: undefined };
    const { slug, refusal } = slugFor(kind, sent, DEFAULT_LANGUAGE);
    if (refusal !== undefined) return refusal;
    const made = withSlug({ ...sent, ...rules.createSets }, slug);
    const row = add(by, kind, DEFAULT_LANGUAGE, undefined, made, sent);
    if (kind === 'article' && rules.translationsCome === 'with-original')
      for (const language of rules.languages.filter((each) => each !== DEFAULT_LANGUAGE))
        add(
          'the service',
          kind,
          language,
          row,
          { ...row.stored, status: 'draft' },
          { ...made, status: 'draft' },
        );
    return { ok: true, row };
  };

  const add = (
    by: Actor,
    kind: Kind,
    language: string,
    original: Row | undefined,
    values: Values,
    sent: Values,
  ): Row => {
    const own = pick(values, FIELDS[kind]);
    const after = { ...emptyValues(kind), ...kept(kind, own) };
    const atMs = now();
    const id =
      original !== undefined && rules.translationId === 'originals'
        ? original.id
        : newId(rules.ids, kind, rows, random);
    const row: Row = {
      id,
      kind,
      language,
      original,
      createdBy: by,
      createdMs: atMs,
      stored: after,
      raw: { ...emptyValues(kind), ...pick(sent, FIELDS[kind]) },
      authors: Object.fromEntries(Object.keys(after).map((field) => [field, by])),
      editedMs: atMs,
      version: 1,
      past: [],
      visibleMs: atMs + rules.createVisibleMs,
      listedMs: atMs + Math.max(rules.createListedMs, rules.createVisibleMs),
      views: 0,
    };
    rows.push(row);
    ledger.push({
      serial: ++serial,
      atMs,
      by,
      what: 'create',
      row,
      sent,
      before: {},
      after,
      authorsBefore: {},
    });
    if (original !== undefined && rules.translationMoves) original.editedMs = atMs;
    if (original !== undefined) share(by, row, own, own);
    if (rules.renumbers && kind === 'article' && original === undefined) renumber(row);
    return row;
  };

  const wrongReference = (kind: Kind, sent: Values): Done | undefined => {
    const wanted: readonly (readonly [Kind, string])[] = [
      ...listOf(sent['categories']).map((id) => ['category', id] as const),
      ...listOf(sent['tags']).map((id) => ['tag', id] as const),
      ...(typeof sent['categoryParent'] === 'string' && kind === 'category'
        ? [['category', sent['categoryParent']] as const]
        : []),
    ];
    const missing = wanted.find(([of, id]) => !living(of).some((row) => row.id === id));
    return missing === undefined ? undefined : refused(422, `There is no ${missing[0]} ${missing[1]}.`);
  };

  const edit = (by: Actor, target: Row, language: string | undefined, sent: Values): Done => {
    const wrong = wrongReference(target.kind, sent);
    if (wrong !== undefined) return wrong;
    const original = target.original ?? target;
    if (language === undefined || sameLanguage(language, target.language)) {
      if (target.original === undefined && language !== undefined && rules.editsDefault === 'refuses')
        return refused(400, '"lang" must be another language than the default one.');
      return saveIn(by, target, sent);
    }
    if (sameLanguage(language, original.language)) return saveIn(by, original, sent);
    if (!rules.languages.some((each) => sameLanguage(each, language))) {
      if (rules.foreignLanguage === 'refuses')
        return refused(422, `The language ${language} is not enabled.`);
      if (rules.foreignLanguage === 'says-yes') return { ok: true, row: undefined };
      if (rules.foreignLanguage === 'edits-original') return saveIn(by, original, sent);
    }
    if (rules.editsLanguage === 'original') return saveIn(by, target, sent);
    if (rules.editsLanguage === 'refuses') return refused(400, 'Unknown field "lang".');
    if (rules.editsLanguage === 'says-yes') return { ok: true, row: undefined };
    const existing = inLanguage(original, language);
    if (existing !== undefined) return saveIn(by, existing, sent);
    return translate(by, original, language, sent);
  };

  const translate = (by: Actor, original: Row, language: string, sent: Values): Done => {
    if (rules.translationNeedsCategory && original.kind === 'article') {
      const missing = listOf(original.stored['categories']).find((id) => {
        const category = living('category').find((row) => row.id === id);
        return category !== undefined && inLanguage(category, language) === undefined;
      });
      if (missing !== undefined)
        return refused(422, `The category ${missing} has no translation in ${language} yet.`);
    }
    const begun =
      rules.leftOut === 'reset' ? { ...original.stored, ...optionalEmpty(original.kind) } : original.stored;
    const copied = { ...begun, ...(rules.editsLanguage === 'copy-first' ? {} : sent) };
    const values =
      rules.translationsBegin === 'draft' && original.kind === 'article'
        ? { ...copied, status: 'draft' }
        : copied;
    const { slug, refusal } = slugFor(original.kind, values, language, original);
    if (refusal !== undefined) return refusal;
    const row = add(by, original.kind, spelled(language, rules), original, withSlug(values, slug), sent);
    // Nothing of what was sent is in the copy: its words are the original's still, and nobody's work in this language.
    if (rules.editsLanguage === 'copy-first') {
      row.authors = Object.fromEntries(Object.keys(row.stored).map((field) => [field, 'the service']));
      row.raw = { ...original.raw };
    }
    return { ok: true, row };
  };

  const saveIn = (by: Actor, row: Row, sent: Values): Done => {
    const { slug, refusal } = slugFor(row.kind, sent, row.language, row);
    if (refusal !== undefined) return refusal;
    if (
      rules.editsWait === 'draft-copy' &&
      row.kind === 'article' &&
      row.stored['status'] === 'published' &&
      by !== 'editor'
    ) {
      row.draft = {
        id: `${row.id}-draft`,
        stored: { ...row.stored, ...kept(row.kind, pick(sent, FIELDS[row.kind]), row) },
      };
      return { ok: true, row };
    }
    const suffixed = slug !== undefined && slug !== String(kept(row.kind, sent, row)['slug']);
    save(by, row, suffixed ? { ...sent, slug } : sent);
    if (suffixed) row.raw = { ...row.raw, slug: sent['slug'] ?? '' };
    return { ok: true, row };
  };

  const remove = (by: Actor, row: Row): Done => {
    if (rules.deletes === 'refuses') return refused(403, 'Deleting is not allowed.');
    if (rules.deletes === 'says-yes') return { ok: true, row: undefined };
    const translations = row.original === undefined ? translationsOf(row) : [];
    if (translations.length > 0 && rules.deleteOriginal === 'refuses')
      return refused(
        409,
        `There are translations: ${translations.map(({ language }) => language).join(', ')}.`,
      );
    if (row.kind !== 'article') {
      const inside = insideOf(row);
      if (inside.length > 0 && rules.deleteCategory === 'refuses')
        return refused(409, `"${nameOf(row)}" is in use by ${inside.length} records.`);
      for (const each of inside) {
        if (rules.deleteCategory === 'cascades') bury(by, each);
        else detach(by, each, row.id);
      }
    }
    if (rules.deleteOriginal === 'cascades') for (const each of translations) bury(by, each);
    if (rules.deleteTranslation === 'takes-all' && row.original !== undefined)
      for (const each of [row.original, ...translationsOf(row.original)]) bury(by, each);
    bury(by, row);
    return { ok: true, row };
  };

  const insideOf = (row: Row): readonly Row[] => {
    const isIn = ({ stored }: Row): boolean =>
      row.kind === 'tag'
        ? listOf(stored['tags']).includes(row.id)
        : listOf(stored['categories']).includes(row.id) || stored['categoryParent'] === row.id;
    return rows.filter(
      (each) =>
        isAlive(each) && each !== row && each.kind !== 'tag' && row.original === undefined && isIn(each),
    );
  };

  const detach = (by: Actor, row: Row, id: string): void => {
    const without = (field: string): Value => listOf(row.stored[field]).filter((each) => each !== id);
    const after =
      row.kind === 'category'
        ? { ...row.stored, categoryParent: null }
        : { ...row.stored, categories: without('categories'), tags: without('tags') };
    change(by, row, {}, after, {});
  };

  const bury = (by: Actor, row: Row): void => {
    if (!isAlive(row)) return;
    if (rules.deletes === 'unpublishes' && row.kind === 'article') {
      change(by, row, {}, { ...row.stored, status: 'draft' }, {});
      return;
    }
    ledger.push({
      serial: ++serial,
      atMs: now(),
      by,
      what: 'delete',
      row,
      sent: {},
      before: row.stored,
      after: {},
      authorsBefore: row.authors,
    });
    row.deleted = { by, atMs: now() };
    if (row.original !== undefined && rules.translationMoves) row.original.editedMs = now();
  };

  const visible = (row: Row): Values => {
    const behindMs = rules.staleEvery > 0 && ++reads % rules.staleEvery === 0 ? rules.staleMs : 0;
    const lagMs = Math.max(rules.editVisibleMs, behindMs);
    if (lagMs === 0) return row.stored;
    return row.past.find(({ untilMs }) => untilMs > now() - lagMs)?.stored ?? row.stored;
  };

  const single = (row: Row): { readonly stored: Values; readonly editedMs: number } => {
    const isOld = rules.oldSinglesEvery > 0 && ++singles % rules.oldSinglesEvery === 0;
    return (isOld ? row.past.at(-1) : undefined) ?? { stored: visible(row), editedMs: row.editedMs };
  };

  return {
    rules,
    rows,
    ledger,
    sights,
    serial: () => serial,
    living,
    find: (kind, id) => rows.find((row) => row.kind === kind && isAlive(row) && shownId(row, rules) === id),
    translationsOf,
    inLanguage,
    create,
    edit,
    remove,
    saw: (by, row) => void sights.push({ serial: ++serial, by, row }),
    visible,
    single,
  };
}

/** The id by which the world knows a row. */
export function shownId(row: Row, rules: Rules): string {
  return rules.versionsHaveIds && row.kind === 'article' && row.original === undefined
    ? `${row.id}v${row.version}`
    : row.id;
}

export function sameLanguage(a: string, b: string): boolean {
  return a.replaceAll('_', '-').toLowerCase() === b.replaceAll('_', '-').toLowerCase();
}

export function listOf(value: Value | undefined): readonly string[] {
  return typeof value === 'object' && value !== null ? value : [];
}

function spelled(language: string, { spellsLanguage }: Rules): string {
  const [tongue = '', region] = language.replaceAll('_', '-').split('-');
  switch (spellsLanguage) {
    case 'as-sent':
      return language;
    case 'lower':
      return language.toLowerCase();
    case 'underscore':
      return language.replaceAll('-', '_');
    case 'lower-underscore':
      return language.replaceAll('-', '_').toLowerCase();
    case 'upper-region':
      return region === undefined ? `${tongue}-${tongue.toUpperCase()}` : `${tongue}-${region.toUpperCase()}`;
  }
}

function refused(status: number, message: string): Done {
  return { ok: false, status, message };
}

function isField(kind: Kind, field: string): boolean {
  return (FIELDS[kind] as readonly string[]).includes(field);
}

function pick(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

function withSlug(values: Values, slug: string | undefined): Values {
  return slug === undefined ? values : { ...values, slug };
}

/** Fields that an edit may leave out, empty. */
function optionalEmpty(kind: Kind): Values {
  const empty = emptyValues(kind);
  return kind === 'article'
    ? pick(empty, ['tags', 'hideFromSearch', 'seoBannerUrl', 'articleReviewDate'])
    : pick(empty, ['description', 'longDescription', 'thumbnailUrl', 'iconUrl', 'categoryParent']);
}

function isSameFamily(row: Row, other: Row | undefined): boolean {
  return other !== undefined && (row.original ?? row) === (other.original ?? other);
}
