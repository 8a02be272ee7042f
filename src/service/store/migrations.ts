import type { Dialect } from './store.ts';

/** Text for both databases, or the statements of each where they have nothing in common. */
type Statement = string | Readonly<Record<Dialect, readonly string[]>>;

/** The schema's steps, each a list of statements: step n makes schema n out of schema n - 1. */
export function migrationSteps(dialect: Dialect): readonly (readonly string[])[] {
  return STEPS.map((step) =>
    step.flatMap((statement) => (typeof statement === 'string' ? [statement] : statement[dialect])),
  ).map((step) => (dialect === 'postgres' ? step.map(bytewise) : step));
}

/**
 * Text is compared byte by byte, as SQLite does it. A database made under another locale would sort lists differently and,
 * under a Turkish one, lower `FI` to what no lookup asks for.
 */
function bytewise(statement: string): string {
  return statement.replaceAll(/ text\b/g, ' text collate "C"');
}

/** Which writes a list shows. Each list of languages tells those of all records. */
const SHOWN_IN: readonly (readonly [table: string, event: string, lists: readonly string[]])[] = [
  ['articles', 'insert', ['articles', 'tags']],
  ['articles', 'update', ['articles']],
  ['articles', 'delete', ['articles', 'tags', 'categories']],
  ['categories', 'insert', ['categories', 'articles', 'tags']],
  ['categories', 'update', ['categories']],
  ['categories', 'delete', ['categories', 'articles', 'tags']],
  ['tags', 'insert', ['tags', 'articles']],
  ['tags', 'update', ['tags']],
  ['tags', 'delete', ['tags', 'articles']],
  ...['insert', 'update', 'delete'].flatMap((event) => [
    ['article_categories', event, ['categories']] as const,
    ['article_tags', event, ['tags']] as const,
  ]),
];

/** PostgreSQL: keeps other writers from the marks of this connection's shard, until the end of the transaction. The number is `kbsz`: what is locked for other reasons is under `kbsy`. */
export const HOLD_SHARD = 'select pg_advisory_xact_lock(1801614202, pg_backend_pid() % 16)';

/**
 * The schema, step by step; a step that was released is never edited. Written in what SQLite and PostgreSQL share, so
 * that both stores run the same text: booleans are 0/1, dates are microseconds since 1970 in a `bigint`.
 *
 * Columns with long text come last, because SQLite reads a row from its start and a list need not walk over content.
 * `lower(coalesce(language, ''))` makes the unique rule hold for originals too, whose language is null.
 */
const STEPS: readonly (readonly Statement[])[] = [
  [
    `create table sites (
      id text primary key,
      default_language text not null,
      created_at bigint not null
    )`,
    `create table users (
      id text primary key,
      username text not null unique,
      first_name text not null,
      last_name text not null,
      email_address text not null
    )`,
    `create table api_keys (
      id text primary key,
      prefix text not null unique,
      digest text not null,
      name text not null,
      scope text not null check (scope in ('read', 'write')),
      user_id text not null references users (id),
      created_at bigint not null,
      expires_at bigint,
      revoked_at bigint
    )`,
    recordTable(
      'articles',
      `status text not null check (status in ('draft', 'published')),
      order_by double precision not null,
      hide_from_search smallint not null check (hide_from_search in (0, 1)),
      article_review_date text,
      views bigint not null default 0,
      seo_banner_url text,
      excerpt text not null check (length(excerpt) <= 160),
      summary text not null,
      content text not null`,
    ),
    recordTable(
      'categories',
      `order_by double precision not null,
      parent_id text references categories (id),
      thumbnail_url text,
      icon_url text,
      description text,
      long_description text,
      check (parent_id <> id)`,
    ),
    recordTable('tags', `description text, long_description text`),
    ...['articles', 'categories', 'tags'].flatMap(recordIndexes),
    `create index articles_review on articles (article_review_date) where article_review_date is not null`,
    `create index categories_parent on categories (parent_id)`,
    relationTable('article_categories', 'category_id', 'categories'),
    `create index article_categories_of on article_categories (category_id)`,
    relationTable('article_tags', 'tag_id', 'tags'),
    `create index article_tags_of on article_tags (tag_id)`,
    `create table links (
      id text primary key,
      site_id text not null references sites (id),
      article_id text not null references articles (id) on delete cascade,
      url text not null,
      created_at bigint not null,
      working smallint check (working in (0, 1)),
      checked_at bigint,
      unique (article_id, url)
    )`,
    `create table versions (
      id text primary key,
      site_id text not null references sites (id),
      version text not null,
      name text not null,
      released_at bigint not null,
      active_version smallint not null check (active_version in (0, 1)),
      released_version smallint not null check (released_version in (0, 1)),
      unique (site_id, version)
    )`,
    `create table changelog_features (
      id text primary key,
      changelog_version text not null references versions (id) on delete cascade,
      position integer not null,
      name text not null,
      description text,
      image_url text
    )`,
    `create index changelog_features_of on changelog_features (changelog_version, position)`,
    `create table idempotency (
      key_id text not null references api_keys (id),
      token text not null,
      request_digest text not null,
      created_at bigint not null,
      reply text not null,
      primary key (key_id, token)
    )`,
    `create index idempotency_age on idempotency (created_at)`,
  ],
  [
    {
      // The tokens are made by search-tokens.ts, so both databases find the same; FTS5 only splits them at spaces.
      sqlite: [
        `create table article_search (
          seq integer primary key,
          article_id text not null unique references articles (id) on delete cascade,
          tokeniser integer not null
        )`,
        `create virtual table article_tokens using fts5
          (title, body, content = '', contentless_delete = 1, tokenize = 'ascii')`,
        `create trigger article_search_gone after delete on article_search
          begin delete from article_tokens where rowid = old.seq; end`,
      ],
      postgres: [
        `create table article_search (
          article_id text primary key references articles (id) on delete cascade,
          tokeniser integer not null,
          tokens tsvector not null
        )`,
        `create index article_search_tokens on article_search using gin (tokens)`,
      ],
    },
  ],
  [
    // Written by each use of a key, at most once a minute, and read when keys are listed.
    `alter table api_keys add column last_used_at bigint`,
    `create table audit (
      id text primary key,
      at bigint not null,
      key_id text not null references api_keys (id),
      action text not null check (action in ('create', 'edit', 'delete')),
      kind text not null check (kind in ('article', 'category', 'tag')),
      record_id text not null,
      language text,
      name text not null,
      before_digest text,
      after_digest text
    )`,
    `create index audit_record on audit (record_id)`,
    `create index links_url on links (url)`,
    // One row for each address, however many articles link to it.
    `create table link_checks (
      url text primary key,
      working smallint check (working in (0, 1)),
      checked_at bigint,
      next_at bigint not null,
      claimed_until bigint not null,
      failures integer not null,
      etag text,
      last_modified text,
      said text
    )`,
    `create index link_checks_next on link_checks (next_at)`,
  ],
  [
    // The reading site asks for every page which languages there are; the rows themselves are long.
    `create index articles_seen on articles (language, status)`,
  ],
  [
    // Search shows pieces of it; reading them out of the HTML again cost more than the search.
    `alter table article_search add column plain text not null default ''`,
  ],
  [
    // Public addresses that a record left: by a new slug, by being withdrawn, by its delete. The last that left one has it.
    `create table former_slugs (
      site_id text not null references sites (id),
      kind text not null check (kind in ('article', 'category', 'tag')),
      slug text not null,
      language text not null,
      record_id text not null,
      family text not null,
      left_at bigint not null,
      primary key (site_id, kind, slug, language)
    )`,
  ],
  [
    // What names the state of each list: a new random mark with every write that the list shows, so no two histories of
    // one knowledge base (a restored backup) share a mark. Writers of PostgreSQL work side by side: each takes the row of
    // its connection, at its end, so none waits for the record of another.
    `create table list_marks (
      list text not null check (list in ('articles', 'categories', 'tags')),
      shard smallint not null,
      mark text not null,
      primary key (list, shard)
    )`,
    {
      sqlite: SHOWN_IN.flatMap(([table, event, lists]) =>
        lists.map(
          (list) => `create trigger ${table}_${event}_in_${list} after ${event} on ${table}
              begin insert or replace into list_marks values ('${list}', 0, hex(randomblob(16))); end`,
        ),
      ),
      postgres: [
        // Once for each transaction and list, however many rows it writes.
        `create function mark_list() returns trigger language plpgsql as $$
         begin
           if current_setting('kbsync.' || tg_argv[0], true) is distinct from txid_current()::text then
             perform set_config('kbsync.' || tg_argv[0], txid_current()::text, true);
             insert into list_marks values (tg_argv[0], pg_backend_pid() % 16,
               md5(random()::text || clock_timestamp()::text || txid_current()::text))
             on conflict (list, shard) do update set mark = excluded.mark;
           end if;
           return null;
         end $$`,
        ...SHOWN_IN.flatMap(([table, event, lists]) =>
          lists.map(
            (list) => `create constraint trigger ${table}_${event}_in_${list} after ${event} on ${table}
              deferrable initially deferred for each row execute function mark_list('${list}')`,
          ),
        ),
      ],
    },
  ],
  [
    // Images and files that articles show, by the SHA-256 of what was sent. SQLite keeps their bytes in a folder beside it.
    `create table files (
      digest text primary key,
      site_id text not null references sites (id),
      kept_digest text not null,
      type text not null,
      name text not null,
      bytes bigint not null,
      width integer,
      height integer,
      added_at bigint not null,
      asked_at bigint not null,
      added_by text not null references users (id)
    )`,
    {
      sqlite: [],
      postgres: [
        `create table file_bytes (digest text primary key, bytes bytea not null)`,
        // Compressed already, most of them, and read piece by piece.
        `alter table file_bytes alter column bytes set storage external`,
      ],
    },
  ],
  [
    // SQLite: to replace the row of a mark cost as much as the rows of a create. To change it where it stands is cheaper (docs/decisions/2026-11-22-list-tags.md).
    {
      sqlite: [
        ...['articles', 'categories', 'tags'].map(
          (list) => `insert or ignore into list_marks values ('${list}', 0, hex(randomblob(16)))`,
        ),
        ...SHOWN_IN.flatMap(([table, event, lists]) =>
          lists.flatMap((list) => [
            `drop trigger ${table}_${event}_in_${list}`,
            `create trigger ${table}_${event}_in_${list} after ${event} on ${table}
              begin update list_marks set mark = hex(randomblob(16)) where list = '${list}' and shard = 0; end`,
          ]),
        ),
      ],
      postgres: [],
    },
    // What is done by a command on the machine, where there is no key that does it.
    `create table command_audit (
      id text primary key,
      at bigint not null,
      action text not null check (action in ('create', 'edit', 'delete', 'revoke')),
      kind text not null check (kind in ('key', 'version')),
      record_id text not null,
      name text not null,
      before_digest text,
      after_digest text
    )`,
    `create index command_audit_record on command_audit (record_id)`,
  ],
  [
    // When the words of an article last changed. If it is not known, a date is taken that makes no translation look older than it is.
    `alter table article_search add column words_at bigint`,
    `update article_search set words_at = (
       select case when a.language_parent is null then a.created_at else a.edited_at end
       from articles a where a.id = article_search.article_id)`,
    // What readers looked for in vain, and what they answered below an article: counts alone, nothing of who it was.
    `create table search_misses (
      site_id text not null references sites (id),
      language text not null,
      query text not null,
      times bigint not null,
      last_at bigint not null,
      primary key (site_id, language, query)
    )`,
    `create table article_feedback (
      article_id text primary key references articles (id) on delete cascade,
      helpful bigint not null,
      not_helpful bigint not null,
      last_at bigint not null
    )`,
  ],
  [
    // States of kbsync runs that share one, each with its lock (docs/decisions/2026-11-23-shared-state.md).
    `create table team_states (
      name text primary key,
      document text,
      serial bigint not null,
      fence bigint not null,
      lock_id text,
      lock_info text,
      lock_until bigint,
      lease_seconds bigint
    )`,
  ],
  [
    // Apart from the lock, which changes every minute: SQLite would write the whole state again. In pieces, each a turn of the event loop.
    `create table team_state_pieces (
      name text not null references team_states (name),
      number integer not null,
      content text not null,
      primary key (name, number)
    )`,
    `insert into team_state_pieces select name, 0, document from team_states where document is not null`,
    `alter table team_states drop column document`,
  ],
  [
    // Suggestions look at titles alone. In the index of all tokens, a word of titles is a word of texts too, and each row would be read to tell.
    {
      sqlite: [],
      postgres: [`create index article_search_titles on article_search using gin (ts_filter(tokens, '{a}'))`],
    },
  ],
  [
    // Old addresses that repositories say, a set for each (docs/decisions/2026-11-24-old-addresses-by-a-sync.md).
    `create table redirect_sets (
      site_id text not null references sites (id),
      repository text not null,
      tag text not null,
      made_at bigint not null,
      primary key (site_id, repository)
    )`,
    `create table redirects (
      site_id text not null,
      old_path text not null,
      repository text not null,
      target text not null,
      record_key text,
      primary key (site_id, old_path, repository),
      foreign key (site_id, repository) references redirect_sets (site_id, repository)
    )`,
    `create index redirects_of on redirects (site_id, repository)`,
  ],
  [
    // Two writers that share a shard take its rows in the order of what they wrote, and each may hold what the other wants. So the shard itself is held first.
    {
      sqlite: [],
      postgres: [
        `create or replace function mark_list() returns trigger language plpgsql as $$
         begin
           if current_setting('kbsync.' || tg_argv[0], true) is distinct from txid_current()::text then
             perform set_config('kbsync.' || tg_argv[0], txid_current()::text, true);
             ${HOLD_SHARD.replace('select', 'perform')};
             insert into list_marks values (tg_argv[0], pg_backend_pid() % 16,
               md5(random()::text || clock_timestamp()::text || txid_current()::text))
             on conflict (list, shard) do update set mark = excluded.mark;
           end if;
           return null;
         end $$`,
      ],
    },
  ],
];

function recordTable(name: string, columns: string): string {
  return `create table ${name} (
      id text primary key,
      site_id text not null references sites (id),
      language text,
      language_parent text references ${name} (id),
      version integer not null,
      created_at bigint not null,
      edited_at bigint not null,
      created_by text not null references users (id),
      name text not null,
      slug text not null,
      ${columns},
      check ((language is null) = (language_parent is null)),
      check (language_parent <> id)
    )`;
}

function recordIndexes(name: string): readonly string[] {
  return [
    `create unique index ${name}_slug on ${name} (site_id, slug, lower(coalesce(language, '')))`,
    `create unique index ${name}_language on ${name} (language_parent, lower(language)) where language_parent is not null`,
  ];
}

function relationTable(name: string, column: string, target: string): string {
  return `create table ${name} (
      id text primary key,
      site_id text not null references sites (id),
      article_id text not null references articles (id) on delete cascade,
      ${column} text not null references ${target} (id),
      position integer not null,
      added_by text not null references users (id),
      added_at bigint not null,
      unique (article_id, ${column})
    )`;
}
