export { createApp, type ServiceApp, type ServiceOptions } from './app.ts';
export { type AuditEntry, type AuditFilter, listAudit } from './records/audit.ts';
export {
  createKey,
  type CreatedKey,
  type CreateKeyOptions,
  type KeyScope,
  type ListedKey,
  listKeys,
  revokeKey,
} from './keys/keys.ts';
export type { FileBytes } from './files/bytes.ts';
export { filesOnDisk } from './files/disk.ts';
export { filesInPostgres } from './files/postgres.ts';
export type { FileOptions } from './files/routes.ts';
export { listen, type Listening, type ListenOptions, systemClock } from './listen.ts';
export { createMetrics, createMetricsApp, type Gauges, type Metrics } from './http/metrics.ts';
export type { Answered, Observe } from './http/observe.ts';
export { search, type SearchAsked, type SearchHit, type SearchResult } from './search/search.ts';
export { indexMissing } from './search/index-articles.ts';
export type { SnippetPart } from './search/snippet.ts';
export { openPostgres, type PostgresOptions } from './store/postgres/postgres.ts';
export { openSqlite, type SqliteOptions } from './store/sqlite/sqlite.ts';
export { type KnowledgeBase, type Store, StoreError, type StoreErrorCode } from './store/store.ts';
export type { Clock } from './time.ts';
export { addVersion, type NewFeature, type NewVersion } from './versions/versions.ts';
export { countViews } from './records/views.ts';
