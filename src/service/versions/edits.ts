import { createNewId, type NewId, type RandomBytes } from '../ids.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Clock } from '../time.ts';
import {
  auditVersion,
  insertVersion,
  type NewFeature,
  type NewVersion,
  saveFeatures,
  stateOfVersion,
} from './versions.ts';

export interface VersionTools {
  readonly store: Store;
  readonly clock: Clock;
  readonly random?: RandomBytes;
}

/** What is left out stays; features, where given, take the place of all that were there. */
export type VersionEdit = Partial<Omit<NewVersion, 'version'>>;

/** True: the release number is known, and its values are these now. False: there is no such version. */
export function editVersion(tools: VersionTools, version: string, edit: VersionEdit): Promise<boolean> {
  const newId = createNewId(tools.clock, tools.random);
  return tools.store.write(async (sql) => {
    const id = await idOf(sql, version);
    if (id === undefined) return false;
    const before = await stateOfVersion(sql, id);
    await applyEdit(sql, { id, edit, newId });
    await auditVersion(sql, { clock: tools.clock, newId }, { action: 'edit', id, version, before });
    return true;
  });
}

/** True: it was there. Its changelog features go with it. */
export function removeVersion({ store, clock, random }: VersionTools, version: string): Promise<boolean> {
  const newId = createNewId(clock, random);
  return store.write(async (sql) => {
    const id = await idOf(sql, version);
    if (id === undefined) return false;
    const before = await stateOfVersion(sql, id);
    await sql.run('delete from versions where id = ?', id);
    await auditVersion(sql, { clock, newId }, { action: 'delete', id, version, before });
    return true;
  });
}

export interface ImportedVersions {
  readonly added: readonly string[];
  readonly edited: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * Brings the listed versions in, all of them or none: what is missing is added, what differs is edited, other versions stay.
 * Features that are the same keep their ids, so the same list twice changes nothing.
 */
export function importVersions(
  tools: VersionTools,
  listed: readonly NewVersion[],
): Promise<ImportedVersions> {
  const newId = createNewId(tools.clock, tools.random);
  const audited = { clock: tools.clock, newId };
  return tools.store.write(async (sql) => {
    const done = { added: [] as string[], edited: [] as string[], unchanged: [] as string[] };
    for (const one of listed) {
      const id = await idOf(sql, one.version);
      if (id === undefined) {
        const made = newId();
        await insertVersion(sql, { id: made, siteId: tools.store.knowledgeBase.id, added: one, newId });
        await auditVersion(sql, audited, { action: 'create', id: made, version: one.version });
        done.added.push(one.version);
      } else if (await isSame(sql, id, one)) {
        done.unchanged.push(one.version);
      } else {
        const before = await stateOfVersion(sql, id);
        await applyEdit(sql, { id, edit: one, newId });
        await auditVersion(sql, audited, { action: 'edit', id, version: one.version, before });
        done.edited.push(one.version);
      }
    }
    return done;
  });
}

async function applyEdit(
  sql: Transaction,
  { id, edit, newId }: { readonly id: string; readonly edit: VersionEdit; readonly newId: NewId },
): Promise<void> {
  const { name, releasedAtMs, active, released, features } = edit;
  await sql.run(
    `update versions set name = coalesce(?, name), released_at = coalesce(?, released_at),
       active_version = coalesce(?, active_version), released_version = coalesce(?, released_version) where id = ?`,
    name ?? null,
    releasedAtMs === undefined ? null : Math.round(releasedAtMs * 1000),
    active === undefined ? null : Number(active),
    released === undefined ? null : Number(released),
    id,
  );
  if (features === undefined) return;
  await sql.run('delete from changelog_features where changelog_version = ?', id);
  await saveFeatures(sql, id, { features, newId });
}

async function idOf(sql: Transaction, version: string): Promise<string | undefined> {
  return (await sql.get<{ readonly id: string }>('select id from versions where version = ?', version))?.id;
}

interface Row {
  readonly name: string;
  readonly released_at: number;
  readonly active_version: number;
  readonly released_version: number;
}

async function isSame(sql: Transaction, id: string, wanted: NewVersion): Promise<boolean> {
  const row = await sql.get<Row>(
    'select name, released_at, active_version, released_version from versions where id = ?',
    id,
  );
  const features = await sql.all<{
    readonly name: string;
    readonly description: string | null;
    readonly image_url: string | null;
  }>(
    'select name, description, image_url from changelog_features where changelog_version = ? order by position',
    id,
  );
  return (
    row !== undefined &&
    row.name === wanted.name &&
    row.released_at === Math.round(wanted.releasedAtMs * 1000) &&
    row.active_version === Number(wanted.active) &&
    row.released_version === Number(wanted.released) &&
    textOf(features.map((row) => [row.name, row.description, row.image_url])) ===
      textOf(wanted.features.map(partsOf))
  );
}

function partsOf({ name, description, imageUrl }: NewFeature): readonly (string | null)[] {
  return [name, description ?? null, imageUrl ?? null];
}

function textOf(features: readonly (readonly (string | null)[])[]): string {
  return JSON.stringify(features);
}
