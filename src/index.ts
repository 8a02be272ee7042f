export { BaseError } from './base/base.ts';
export { SetupError } from './config/setup-error.ts';
export { ConfigError } from './config/settings.ts';
export { ContentError } from './content/options.ts';
export type { ContentOptions } from './content/options.ts';
export type { AsSent, RecordAsSent, ReplyAsSent } from './library/as-sent.ts';
export { createClient } from './library/create-client.ts';
export type {
  ChangeOptions,
  Client,
  ClientOptions,
  Collection,
  CreateOptions,
  ReadOptions,
  Shown,
} from './library/create-client.ts';
export { createSync, ProblemsError } from './library/create-sync.ts';
export type { Sync, SyncOptions } from './library/create-sync.ts';
export { loadConfig, loadContent } from './library/load-content.ts';
export type { Config, ConfigOptions, Content } from './library/load-content.ts';
export type { RunEvent } from './model/event.ts';
export type { Key, Kind } from './model/key.ts';
export { problemMessage } from './model/problem.ts';
export type { Problem, ProblemCode } from './model/problem.ts';
export type { DesiredRecord, DesiredState } from './model/record.ts';
export type { Change, Conflict, Drift, Plan, Refusal } from './plan/plan.ts';
export { RemoteError } from './remote/error.ts';
export type { Send } from './remote/remote.ts';
export { RemoteSetupError } from './remote/address.ts';
export type { Result, SyncPolicy, SyncReport } from './sync/report.ts';
export type { SyncSummary } from './model/sync-summary.ts';
