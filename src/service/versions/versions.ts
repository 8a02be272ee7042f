import type { Version } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { type AuditAction, auditCommand } from '../records/audit.ts';
import { countOf } from '../http/query.ts';
import { createNewId, type NewId, type RandomBytes } from '../ids.ts';
import type { Sql, Store, Transaction } from '../store/store.ts';
import { type Clock, isoDate } from '../time.ts';

export interface NewVersion {
  /** Dotted release number; each can exist once. */
  readonly version: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly releasedAtMs: number;
  readonly active: boolean;
  readonly released: boolean;
  readonly features: readonly NewFeature[];
}

export interface NewFeature {
  readonly name: string;
  readonly description?: string;
  readonly imageUrl?: string;
}

/**
 * Adds a release version and answers its id. Versions are no author's content; they come by command, not over
 * the API.
 * @throws StoreError `unique` when the release number is there already
 */
export async function addVersion(
  options: { readonly store: Store; readonly clock: Clock; readonly random?: RandomBytes },
  added: NewVersion,
): Promise<string> {
  const { store, clock, random } = options;
  const newId = createNewId(clock, random);
  const id = newId();
  await store.write(async (sql) => {
    await insertVersion(sql, { id, siteId: store.knowledgeBase.id, added, newId });
    await auditVersion(sql, { clock, newId }, { action: 'create', id, version: added.version });
  });
  return id;
}

export async function insertVersion(
  sql: Transaction,
  {
    id,
    siteId,
    added,
    newId,
  }: { readonly id: string; readonly siteId: string; readonly added: NewVersion; readonly newId: NewId },
): Promise<void> {
  await sql.run(
    `insert into versions (id, site_id, version, name, released_at, active_version, released_version)
     values (?, ?, ?, ?, ?, ?, ?)`,
    id,
    siteId,
    added.version,
    added.name,
    Math.round(added.releasedAtMs * 1000),
    Number(added.active),
    Number(added.released),
  );
  await saveFeatures(sql, id, { features: added.features, newId });
}

/** A version's values, for telling two states of it apart; undefined: there is none. */
export async function stateOfVersion(sql: Sql, id: string): Promise<string | undefined> {
  const row = await sql.get(
    'select version, name, released_at, active_version, released_version from versions where id = ?',
    id,
  );
  if (row === undefined) return undefined;
  const features = await sql.all(
    'select name, description, image_url from changelog_features where changelog_version = ? order by position',
    id,
  );
  return JSON.stringify([row, features]);
}

/** Notes what was done to a version; `before` as `stateOfVersion` said. */
export async function auditVersion(
  sql: Transaction,
  tools: { readonly clock: Clock; readonly newId: NewId },
  done: {
    readonly action: AuditAction;
    readonly id: string;
    readonly version: string;
    readonly before?: string | undefined;
  },
): Promise<void> {
  const { action, id, version, before } = done;
  const after = await stateOfVersion(sql, id);
  await auditCommand(sql, tools, { action, kind: 'version', recordId: id, name: version, before, after });
}

/** Adds features to a version that has none. */
export async function saveFeatures(
  sql: Sql,
  versionId: string,
  { features, newId }: { readonly features: readonly NewFeature[]; readonly newId: NewId },
): Promise<void> {
  for (const [position, feature] of features.entries()) {
    await sql.run(
      `insert into changelog_features (id, changelog_version, position, name, description, image_url)
       values (?, ?, ?, ?, ?, ?)`,
      newId(),
      versionId,
      position,
      feature.name,
      feature.description ?? null,
      feature.imageUrl ?? null,
    );
  }
}

const COUNT_MAX = 100;

interface VersionRow {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly released_at: number;
  readonly active_version: number;
  readonly released_version: number;
}

interface FeatureRow {
  readonly id: string;
  readonly changelog_version: string;
  readonly name: string;
  readonly description: string | null;
  readonly image_url: string | null;
}

/**
 * Spec, GET /api/v2/versions: the newest release first. Without `count` all of them, else that many of the newest.
 * @throws Refusal 400 for a count that is no integer from 1 to 100
 */
export async function versionList(sql: Sql, _context: Context, count: string | undefined) {
  const wanted = countOf(count, COUNT_MAX);
  const all = await sql.all<VersionRow>(
    `select id, version, name, released_at, active_version, released_version from versions
     order by released_at desc, id desc`,
  );
  const rows = wanted === undefined ? all : all.slice(0, wanted);
  const features = await sql.all<FeatureRow>(
    `select id, changelog_version, name, description, image_url from changelog_features
     order by changelog_version, position`,
  );
  const data: readonly Version[] = rows.map((row) => ({
    id: row.id,
    version: row.version,
    name: row.name,
    release_timestamp: isoDate(row.released_at),
    active_version: row.active_version === 1,
    released_version: row.released_version === 1,
    changelog_features: features
      .filter(({ changelog_version }) => changelog_version === row.id)
      .map((feature) => ({ ...feature })),
  }));
  return { body: { success: true, message: `${data.length} versions found.`, data }, total: all.length };
}
