import { openBase } from '../../src/base/store.ts';
import { openTrash } from '../../src/base/trash.ts';
import { createRemote } from '../../src/remote/client.ts';
import { SendError } from '../../src/remote/http/send-error.ts';
import { createSync } from '../../src/sync/create-sync.ts';
import { createTurns } from '../../src/sync/watch/turns.ts';

/** What the simulation drives. A mutant is the same, loaded from changed sources. */
export interface Engine {
  readonly createRemote: typeof createRemote;
  readonly createSync: typeof createSync;
  readonly createTurns: typeof createTurns;
  readonly openBase: typeof openBase;
  readonly openTrash: typeof openTrash;
  readonly SendError: typeof SendError;
}

export const ENGINE: Engine = { createRemote, createSync, createTurns, openBase, openTrash, SendError };
