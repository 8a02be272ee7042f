export { createApp, type ServiceApp, type ServiceOptions } from './app.ts';
export { type AuditEntry, type AuditFilter, listAudit } from './audit.ts';
export {
  createKey,
  type CreatedKey,
  type CreateKeyOptions,
  type KeyScope,
  type ListedKey,
  listKeys,
  revokeKey,
} from './keys.ts';
export { listen, type Listening, type ListenOptions, systemClock } from './listen.ts';
export { createMetrics, createMetricsApp, type Gauges, type Metrics } from './metrics.ts';
export type { Answered, Observe } from './observe.ts';
export { search, type SearchAsked, type SearchHit } from './search.ts';
export { indexMissing } from './search-index.ts';
export type { SnippetPart } from './search-snippet.ts';
export { openPostgres, type PostgresOptions } from './store/postgres.ts';
export { openSqlite, type SqliteOptions } from './store/sqlite.ts';
export { type Site, type Store, StoreError, type StoreErrorCode } from './store/store.ts';
export type { Clock } from './time.ts';
export { addVersion, type NewFeature, type NewVersion } from './versions.ts';
export { countViews } from './views.ts';
