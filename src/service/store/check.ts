import type { Sql, Store } from './store.ts';

/** Something in the database that no write of the service makes. */
export interface StoreFinding {
  readonly code: 'integrity' | 'foreign-key' | 'cycle' | 'orphan' | 'date-order';
  readonly message: string;
}

const SHOWN_MAX = 20;

/**
 * Looks at everything that the schema does not hold by itself: damaged pages (SQLite), categories in a cycle, translations
 * of translations, relations that name a translation, and dates that go backwards. Empty: all is well.
 */
export function checkStore(store: Store): Promise<readonly StoreFinding[]> {
  return store.read(async (sql) => {
    const damage = sql.dialect === 'sqlite' ? await sqliteFindings(sql) : [];
    // The other values of a damaged file may be anything.
    if (damage.some(({ code }) => code === 'integrity')) return damage;
    return [
      ...damage,
      ...(await findingsOf(sql, 'cycle', CYCLES)),
      ...(await findingsOf(sql, 'orphan', ORPHANS)),
      ...(await findingsOf(sql, 'date-order', DATES)),
    ];
  });
}

async function sqliteFindings(sql: Sql): Promise<readonly StoreFinding[]> {
  const pages = await sql.all<{ readonly integrity_check: string }>(`pragma integrity_check(${SHOWN_MAX})`);
  const keys = await sql.all<{ readonly table: string; readonly rowid: number; readonly parent: string }>(
    'pragma foreign_key_check',
  );
  return [
    ...pages
      .filter(({ integrity_check }) => integrity_check !== 'ok')
      .map(({ integrity_check }) => ({ code: 'integrity', message: integrity_check }) as const),
    ...keys.slice(0, SHOWN_MAX).map(({ table, rowid, parent }) => ({
      code: 'foreign-key' as const,
      message: `row ${rowid} of ${table} names a row of ${parent} that is not there`,
    })),
  ];
}

/** Each statement selects `id` and `name` of what is wrong; the text says why. */
type Rule = readonly [statement: string, why: string];

/** A category in a cycle, or below one, cannot be reached from a top category of its language; the cycle may have any length. */
const CYCLES: readonly Rule[] = [
  [
    `with recursive reached (family, lang) as (
       select coalesce(c.language_parent, c.id), lower(coalesce(c.language, '')) from categories c
       where not exists (select 1 from categories p where (p.id = c.parent_id or p.language_parent = c.parent_id)
         and lower(coalesce(p.language, '')) = lower(coalesce(c.language, '')))
       union
       select coalesce(c.language_parent, c.id), reached.lang from reached join categories c
         on c.parent_id = reached.family and lower(coalesce(c.language, '')) = reached.lang
     )
     select c.id as id, c.name as name from categories c where not exists (select 1 from reached
       where reached.family = coalesce(c.language_parent, c.id) and reached.lang = lower(coalesce(c.language, '')))
     order by c.id`,
    'category is its own ancestor, or below one that is',
  ],
];

const KINDS = ['articles', 'categories', 'tags'] as const;

const ORPHANS: readonly Rule[] = [
  ...KINDS.map((table): Rule => [
    `select t.id as id, t.name as name from ${table} t join ${table} o on o.id = t.language_parent
       where o.language_parent is not null order by t.id`,
    `record of ${table} is a translation of a translation`,
  ]),
  [
    `select c.id as id, c.name as name from categories c join categories p on p.id = c.parent_id
     where p.language_parent is not null order by c.id`,
    'category has a translation as its parent',
  ],
  ...(['categories', 'tags'] as const).map((table): Rule => {
    const column = table === 'categories' ? 'category_id' : 'tag_id';
    return [
      `select a.id as id, a.name as name from article_${table} r join articles a on a.id = r.article_id
       join ${table} t on t.id = r.${column} where t.language_parent is not null order by a.id`,
      `article is filed under a translation of ${table}`,
    ];
  }),
];

const DATES: readonly Rule[] = KINDS.flatMap((table): readonly Rule[] => [
  [
    `select id, name from ${table} where edited_at < created_at order by id`,
    `record of ${table} was edited before it was made`,
  ],
  [
    `select o.id as id, o.name as name from ${table} t join ${table} o on o.id = t.language_parent
     where t.edited_at > o.edited_at order by o.id`,
    `record of ${table} has a date before that of its translation`,
  ],
]);

async function findingsOf(
  sql: Sql,
  code: StoreFinding['code'],
  rules: readonly Rule[],
): Promise<readonly StoreFinding[]> {
  const found: StoreFinding[] = [];
  for (const [statement, why] of rules) {
    const rows = await sql.all<{ readonly id: string; readonly name: string }>(
      `${statement} limit ${SHOWN_MAX}`,
    );
    for (const { id, name } of rows) found.push({ code, message: `${why}: "${name}" (${id})` });
  }
  return found;
}
