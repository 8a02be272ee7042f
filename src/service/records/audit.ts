import { hash } from 'node:crypto';
import type { WriteContext } from '../context.ts';
import type { NewId } from '../ids.ts';
import type { Kind } from '../kind.ts';
import { columnsOf, type RecordRow } from '../store/rows.ts';
import type { Sql, SqlValue, Store, Transaction } from '../store/store.ts';
import { type Clock, isoDate, nowMicros } from '../time.ts';

export type AuditAction = 'create' | 'edit' | 'delete' | 'revoke';

export interface AuditEntry {
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  readonly action: AuditAction;
  readonly kind: Kind | CommandKind;
  /** Of a key its prefix. */
  readonly recordId: string;
  /** Null in an original, and where there are no languages. */
  readonly language: string | null;
  readonly name: string;
  /** Null: a command on the machine of the database did it. */
  readonly key: { readonly prefix: string; readonly name: string } | null;
  /** Digest of the record's own fields; equal digests: nothing of them changed. Null: there was no such record. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Notes a write in the write's own transaction: there is no write without its line and no line without its write. */
export async function audit(
  sql: Transaction,
  context: WriteContext,
  written: {
    readonly kind: Kind;
    readonly before: RecordRow | undefined;
    readonly after: RecordRow | undefined;
  },
): Promise<void> {
  const { kind, before, after } = written;
  const row = after ?? before;
  if (row === undefined) throw new Error('bug: a write of nothing');
  await sql.run(
    `insert into audit (id, at, key_id, action, kind, record_id, language, name, before_digest, after_digest)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    context.newId(),
    nowMicros(context.clock),
    context.keyId,
    before === undefined ? 'create' : after === undefined ? 'delete' : 'edit',
    kind,
    row.id,
    row.language,
    row.name,
    before === undefined ? null : digestOf(kind, before),
    after === undefined ? null : digestOf(kind, after),
  );
}

/** What only commands change. */
export type CommandKind = 'key' | 'version';

/** Notes what a command does to keys and versions, in the same transaction. Before and after: whatever tells two states apart. */
export async function auditCommand(
  sql: Transaction,
  { clock, newId }: { readonly clock: Clock; readonly newId: NewId },
  done: {
    readonly action: AuditAction;
    readonly kind: CommandKind;
    readonly recordId: string;
    readonly name: string;
    readonly before?: string | undefined;
    readonly after?: string | undefined;
  },
): Promise<void> {
  await sql.run(
    `insert into command_audit (id, at, action, kind, record_id, name, before_digest, after_digest)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    newId(),
    nowMicros(clock),
    done.action,
    done.kind,
    done.recordId,
    done.name,
    done.before === undefined ? null : hash('sha256', done.before),
    done.after === undefined ? null : hash('sha256', done.after),
  );
}

/** What a write counts up anyway, and what readers count up. */
const UNTOLD = new Set(['version', 'edited_at', 'views']);

function digestOf(kind: Kind, row: RecordRow): string {
  const told = columnsOf(kind, row).filter(([column]) => !UNTOLD.has(column));
  return hash('sha256', JSON.stringify(told.map(([, value]) => value)));
}

export interface AuditFilter {
  /** Milliseconds since 1970. */
  readonly sinceMs?: number;
  /** Prefix of the key that wrote, or that a command made or revoked. */
  readonly keyPrefix?: string;
  readonly recordId?: string;
  /** The newest so many. Default 1,000. */
  readonly countMax?: number;
}

interface AuditRow {
  readonly id: string;
  readonly at: number;
  readonly action: AuditAction;
  readonly kind: Kind | CommandKind;
  readonly record_id: string;
  readonly language: string | null;
  readonly name: string;
  readonly prefix: string | null;
  readonly key_name: string | null;
  readonly before_digest: string | null;
  readonly after_digest: string | null;
}

const WRITES = `select a.id as id, a.at as at, a.action as action, a.kind as kind, a.record_id as record_id,
    a.language as language, a.name as name, k.prefix as prefix, k.name as key_name,
    a.before_digest as before_digest, a.after_digest as after_digest
  from audit a join api_keys k on k.id = a.key_id where 1 = 1`;
const COMMANDS = `select a.id as id, a.at as at, a.action as action, a.kind as kind, a.record_id as record_id,
    cast(null as text) as language, a.name as name, cast(null as text) as prefix, cast(null as text) as key_name,
    a.before_digest as before_digest, a.after_digest as after_digest
  from command_audit a where 1 = 1`;

/** The newest writes that fit, the oldest of them first. */
export async function listAudit(store: Store, filter: AuditFilter = {}): Promise<readonly AuditEntry[]> {
  const { sinceMs, keyPrefix, recordId, countMax = 1000 } = filter;
  const shared: readonly (readonly [string, SqlValue])[] = [
    ...(sinceMs === undefined ? [] : [['a.at >= ?', Math.round(sinceMs * 1000)] as const]),
    ...(recordId === undefined ? [] : [['a.record_id = ?', recordId] as const]),
  ];
  const ofKey = (condition: string): typeof shared =>
    keyPrefix === undefined ? shared : [...shared, [condition, keyPrefix]];
  const found = (sql: Sql, select: string, conditions: typeof shared) =>
    sql.all<AuditRow>(
      `${select} ${conditions.map(([condition]) => `and ${condition}`).join(' ')} order by a.id desc limit ?`,
      ...conditions.map(([, value]) => value),
      countMax,
    );
  const rows = await store.read(async (sql) => [
    ...(await found(sql, WRITES, ofKey('k.prefix = ?'))),
    ...(await found(sql, COMMANDS, ofKey(`a.kind = 'key' and a.record_id = ?`))),
  ]);
  // Of one moment, ids are in the order of their making.
  const newest = rows.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, countMax);
  return newest.toReversed().map((row) => ({
    at: isoDate(row.at),
    action: row.action,
    kind: row.kind,
    recordId: row.record_id,
    language: row.language,
    name: row.name,
    key: row.prefix === null ? null : { prefix: row.prefix, name: row.key_name ?? '' },
    before: row.before_digest,
    after: row.after_digest,
  }));
}
