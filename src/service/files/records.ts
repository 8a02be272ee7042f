import type { Sql } from '../store/store.ts';

/** What is known of a file besides its bytes. */
export interface FileRecord {
  /** Of the bytes that were sent: the file goes by it. */
  readonly digest: string;
  /** Of the bytes that are kept: another one only of a drawing that was cleaned. */
  readonly keptDigest: string;
  readonly type: string;
  readonly name: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  /** Microseconds since 1970. */
  readonly addedAt: number;
  /** When it was sent or asked for last by who writes articles. Microseconds since 1970. */
  readonly askedAt: number;
}

interface Row {
  readonly digest: string;
  readonly kept_digest: string;
  readonly type: string;
  readonly name: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly added_at: number;
  readonly asked_at: number;
}

const COLUMNS = 'digest, kept_digest, type, name, bytes, width, height, added_at, asked_at';

export async function findFile(sql: Sql, digest: string): Promise<FileRecord | undefined> {
  const row = await sql.get<Row>(`select ${COLUMNS} from files where digest = ?`, digest);
  return row === undefined ? undefined : recordOf(row);
}

/** Every file, the oldest first. */
export async function listFiles(sql: Sql): Promise<readonly FileRecord[]> {
  return (await sql.all<Row>(`select ${COLUMNS} from files order by added_at, digest`)).map(recordOf);
}

/** All files together. */
export async function bytesOfAll(sql: Sql): Promise<number> {
  const row = await sql.get<{ readonly bytes: number }>(
    'select cast(coalesce(sum(bytes), 0) as bigint) as bytes from files',
  );
  return row?.bytes ?? 0;
}

export async function addFile(sql: Sql, siteId: string, file: FileRecord, userId: string): Promise<void> {
  await sql.run(
    `insert into files (site_id, ${COLUMNS}, added_by) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (digest) do update set asked_at = excluded.asked_at`,
    siteId,
    file.digest,
    file.keptDigest,
    file.type,
    file.name,
    file.bytes,
    file.width,
    file.height,
    file.addedAt,
    file.askedAt,
    userId,
  );
}

function recordOf(row: Row): FileRecord {
  return {
    digest: row.digest,
    keptDigest: row.kept_digest,
    type: row.type,
    name: row.name,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    addedAt: row.added_at,
    askedAt: row.asked_at,
  };
}

/** The sides of stored pictures by digest. */
export async function sidesOf(
  sql: Sql,
  digests: readonly string[],
): Promise<ReadonlyMap<string, { readonly width: number; readonly height: number }>> {
  if (digests.length === 0) return new Map();
  const rows = await sql.all<Pick<Row, 'digest' | 'width' | 'height'>>(
    `select digest, width, height from files where digest in (${digests.map(() => '?').join(', ')})`,
    ...digests,
  );
  return new Map(
    rows.flatMap(({ digest, width, height }) =>
      width === null || height === null ? [] : [[digest, { width, height }] as const],
    ),
  );
}
