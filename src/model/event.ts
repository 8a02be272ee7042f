import type { Key } from './key.ts';

type RunPhase = 'read files' | 'read source' | 'read service' | 'plan' | 'write' | 'settle' | 'verify';

/** Everything a run says while it is under way. The only way out: nothing below the command line prints. */
export type RunEvent =
  | { readonly type: 'phase'; readonly phase: RunPhase }
  | {
      readonly type: 'request';
      readonly method: string;
      readonly path: string;
      readonly status: number | undefined;
      readonly durationMs: number;
    }
  | {
      readonly type: 'retry';
      readonly method: string;
      readonly path: string;
      readonly reason: string;
      readonly attempt: number;
      readonly delayMs: number;
    }
  | {
      readonly type: 'progress';
      readonly done: number;
      readonly total: number;
      readonly failed: number;
    }
  | {
      readonly type: 'outcome';
      readonly key: Key;
      readonly action: string;
      readonly outcome: string;
      readonly message?: string;
    }
  | { readonly type: 'note'; readonly text: string };

export type Emit = (event: RunEvent) => void;
