import type { CommonFlags } from './flags.ts';

export interface ImportFlags extends CommonFlags {
  readonly out: string;
  /** Of records that do not say it. */
  readonly language?: string;
  readonly site?: string;
  readonly type: readonly string[];
  /** Of what the source does not say who may read it. */
  readonly publish: boolean;
  readonly dryRun: boolean;
  /** False after `--no-clean`. */
  readonly clean: boolean;
}
