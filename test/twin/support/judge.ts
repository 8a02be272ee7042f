import { keyOf, placeOf, slugOfPage, tokenOf } from './page.ts';
import type { Page } from './page.ts';
import type { Repository } from './repository.ts';
import { BODY_OF, equalValues, NAME_OF, nameOf, sameWords } from './service/row.ts';
import type { Entry, Kind, Row, Value } from './service/row.ts';
import { listOf, sameLanguage } from './service/site.ts';
import type { Site } from './service/site.ts';

/** What the person who ran kbsync vouched for in that run. */
export interface Vouched {
  readonly prune: boolean;
  /** A flag or `resolve --local` took the file's side in what is open. */
  readonly overwrites: boolean;
  /** `resolve --remote` and its kin: what the site shows now is agreed. */
  readonly concedes: boolean;
}

/**
 * Looks at the service's own record alone. What somebody else wrote may only be changed after it was in sync with the
 * file, or by a choice; a mark may be in one living record of each repository; a record may only go without its file.
 */
export interface Judge {
  /** Everything that became of the site since the last call, because of this repository's run. */
  afterRun(repository: Repository, vouched: Vouched): readonly string[];
  /** How the site differs from the files where nobody else has a hand in it. */
  differences(repository: Repository): readonly string[];
  /** The living records that this file became. */
  rowsOf(page: Page, repository: Repository): readonly Row[];
}

/** What the service writes by itself is nobody's work. */
const SERVICE = 'the service';

export function createJudge(site: Site): Judge {
  let looked = 0;
  /** Repository → row → field → the value that its file and the site agreed on. */
  const agreements = new Map<Repository, Map<Row, Map<string, Value>>>();
  const agreedOn = (repository: Repository, row: Row): Map<string, Value> => {
    const rows = agreements.get(repository) ?? new Map<Row, Map<string, Value>>();
    agreements.set(repository, rows);
    const fields = rows.get(row) ?? new Map<string, Value>();
    rows.set(row, fields);
    return fields;
  };

  const isOf = (repository: Repository, actor: string | undefined): boolean =>
    actor !== undefined && actor.startsWith(`${repository.name}.`);

  const wroteMark = (row: Row, mark: string, repository: Repository): boolean =>
    site.ledger.some(
      (entry) =>
        entry.row === row &&
        isOf(repository, entry.by) &&
        marksIn(String(entry.sent[BODY_OF[row.kind]])).has(mark),
    );

  const rowsOf = (page: Page, repository: Repository): readonly Row[] =>
    site.rows.filter(
      (row) =>
        row.kind === page.kind &&
        row.deleted === undefined &&
        (wroteMark(row, page.mark, repository) ||
          (!isOf(repository, row.createdBy) && String(row.raw[BODY_OF[row.kind]]).includes(tokenOf(page)))) &&
        sameLanguage(row.language, page.language),
    );

  const isForeign = (
    row: Row,
    field: string,
    repository: Repository,
    author: string | undefined,
    value: Value | undefined,
  ) =>
    author !== undefined &&
    author !== SERVICE &&
    !isOf(repository, author) &&
    !equalValues(agreedOn(repository, row).get(field), value);

  const agree = (repository: Repository, row: Row, fields: readonly string[]): void => {
    for (const field of fields) agreedOn(repository, row).set(field, row.stored[field] ?? null);
  };

  const wrongEdit = (entry: Entry, repository: Repository): readonly string[] => {
    const { row, before, after, authorsBefore, sent } = entry;
    return Object.keys(after).flatMap((field) => {
      if (isSame(field, before[field], after[field])) return [];
      if (!isForeign(row, field, repository, authorsBefore[field], before[field])) return [];
      const how = field in sent ? '' : ' by a write to another record';
      return [
        `overwritten${how}: ${field} of ${row.kind} "${nameOf(row)}" (${row.language}), which ${authorsBefore[field] ?? ''} wrote: ${short(before[field])} became ${short(after[field])}`,
      ];
    });
  };

  const wrongDelete = (entry: Entry, repository: Repository, vouched: Vouched): readonly string[] => {
    const { row, authorsBefore, before } = entry;
    const what = `${row.kind} "${String(before[NAME_OF[row.kind]])}" (${row.language})`;
    if (!vouched.prune) return [`deleted without --prune: ${what}`];
    const claimed = [...repository.pages().values()].filter((page) => wroteMark(row, page.mark, repository));
    if (claimed.some((page) => sameLanguage(page.language, row.language)))
      return [`deleted although its file is there: ${what}`];
    const isOurs = site.ledger.some(
      ({ row: of, by, sent }) => of === row && isOf(repository, by) && Object.keys(sent).length > 0,
    );
    if (!isOurs) return [`deleted and never ours: ${what}`];
    if (vouched.overwrites) return [];
    return Object.keys(before).flatMap((field) =>
      isForeign(row, field, repository, authorsBefore[field], before[field])
        ? [`deleted with ${field} that ${authorsBefore[field] ?? ''} wrote: ${what}`]
        : [],
    );
  };

  const doubled = (repository: Repository): readonly string[] =>
    [...repository.pages().values()].flatMap((page) => {
      const rows = rowsOf(page, repository);
      return rows.length > 1
        ? [`twice on the site: ${keyOf(page)} (${rows.map(({ id }) => id).join(', ')})`]
        : [];
    });

  const differencesOf = (page: Page, repository: Repository): readonly string[] => {
    const key = keyOf(page);
    const [row] = rowsOf(page, repository);
    if (row === undefined) return [`missing: ${key}`];
    const wrongParent =
      row.original === undefined || isTranslationOf(page, row, repository)
        ? []
        : [`${key} is a translation of another record`];
    return [
      ...wrongParent,
      ...Object.entries(wantedOf(page, row)).flatMap(([field, wanted]) => {
        const raw = shownAs(field, row.raw[field]);
        const isOthers = isForeign(row, field, repository, row.authors[field], row.stored[field]);
        if (isOthers || isAgreed(repository, row, field)) return [];
        return equalValues(raw, wanted)
          ? []
          : [`${key}: ${field} is ${short(raw)}, the file says ${short(wanted)}`];
      }),
    ];
  };

  /** A value that somebody let stand. */
  const isAgreed = (repository: Repository, row: Row, field: string): boolean =>
    equalValues(agreedOn(repository, row).get(field), row.stored[field]);

  const isTranslationOf = (page: Page, row: Row, repository: Repository): boolean => {
    const original = repository.pages().get(placeOf({ ...page, language: 'en' }));
    return original === undefined || rowsOf(original, repository).includes(row.original ?? row);
  };

  const shownAs = (field: string, value: Value | undefined): Value => {
    if (field === 'categories' || field === 'tags')
      return listOf(value)
        .map((id) => titleOf(field === 'tags' ? 'tag' : 'category', id))
        .sort();
    if (field === 'categoryParent') return typeof value === 'string' ? titleOf('category', value) : null;
    if (field === 'content' || field === 'longDescription')
      return [...tokensIn(String(value))].sort().join(' ');
    return value ?? null;
  };

  const titleOf = (kind: Kind, id: string): string => {
    const row = site.rows.find(
      (each) =>
        each.kind === kind && each.id === id && each.original === undefined && each.deleted === undefined,
    );
    return row === undefined ? `nothing (${id})` : String(row.raw[NAME_OF[row.kind]]);
  };

  const wantedOf = (page: Page, row: Row): Readonly<Record<string, Value>> => ({
    [NAME_OF[page.kind]]: page.title,
    slug: slugOfPage(page),
    [BODY_OF[page.kind]]: tokenOf(page),
    ...Object.fromEntries(
      Object.entries(page.fields)
        .filter(([field]) => field !== 'slug' && field !== 'translationKey')
        .map(([field, value]) => [field, wantedValue(field, value, row)]),
    ),
  });

  const wantedValue = (field: string, value: Value, row: Row): Value => {
    if (field === 'categories' || field === 'tags') {
      const kind = field === 'tags' ? 'tag' : 'category';
      return listOf(value)
        .map((path) => titleOfPath(kind, path, row))
        .sort();
    }
    if (field === 'categoryParent' && typeof value === 'string') return titleOfPath('category', value, row);
    return value;
  };

  let titles = new Map<string, string>();
  const titleOfPath = (kind: string, path: string, row: Row): string =>
    titles.get(`${kind}/${path}`) ?? `${path} (of ${row.kind})`;
  const readTitles = (repository: Repository): void => {
    titles = new Map(
      [...repository.pages().values()]
        .filter(({ language }) => language === 'en')
        .map((page) => [`${page.kind}/${page.path}`, page.title]),
    );
  };

  return {
    rowsOf,
    afterRun(repository, vouched) {
      const entries = site.ledger.slice(looked).filter(({ by }) => isOf(repository, by));
      looked = site.ledger.length;
      const faults = entries.flatMap((entry) => {
        if (entry.what === 'edit') return vouched.overwrites ? [] : wrongEdit(entry, repository);
        return entry.what === 'delete' ? wrongDelete(entry, repository, vouched) : [];
      });
      readTitles(repository);
      for (const page of repository.pages().values())
        for (const row of rowsOf(page, repository)) {
          const wanted = wantedOf(page, row);
          const equal = Object.keys(wanted).filter((field) =>
            equalValues(shownAs(field, row.raw[field]), wanted[field]),
          );
          agree(repository, row, vouched.concedes ? Object.keys(row.stored) : equal);
        }
      return [...faults, ...doubled(repository)];
    },
    differences(repository) {
      readTitles(repository);
      return [...repository.pages().values()].flatMap((page) => differencesOf(page, repository));
    },
  };
}

const TOKEN = /q[A-Z]\d+v\d+|by[a-z]+\d+/g;

function tokensIn(text: string): ReadonlySet<string> {
  return new Set(text.match(TOKEN) ?? []);
}

function marksIn(text: string): ReadonlySet<string> {
  return new Set([...tokensIn(text)].map((token) => token.replace(/v\d+$/, '')));
}

/** Nothing in either spelling is nothing. */
function isSame(field: string, a: Value | undefined, b: Value | undefined): boolean {
  return sameWords(field, a, b) || (isNothing(a) && isNothing(b));
}

function isNothing(value: Value | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    value === 0 ||
    (typeof value === 'object' && value.length === 0)
  );
}

function short(value: Value | undefined): string {
  const text = JSON.stringify(value ?? null);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
