import { openBase } from '../../src/base/store.ts';
import { openTrash } from '../../src/base/trash.ts';
import { createRemote } from '../../src/remote/client.ts';
import { SendError } from '../../src/remote/send-error.ts';
import { createSync } from '../../src/sync/create-sync.ts';
import { createLive } from '../../src/sync/live.ts';

/** What the simulation drives. A mutant is the same, loaded from changed sources. */
export interface Engine {
  readonly createRemote: typeof createRemote;
  readonly createSync: typeof createSync;
  readonly createLive: typeof createLive;
  readonly openBase: typeof openBase;
  readonly openTrash: typeof openTrash;
  readonly SendError: typeof SendError;
}

export const ENGINE: Engine = { createRemote, createSync, createLive, openBase, openTrash, SendError };
