import { keyOf } from '../../src/model/key.ts';
import { seededRandom } from '../support/random.ts';
import type { Engine } from './engine.ts';
import { createMachine } from './machine.ts';
import type { Process } from './network.ts';

/** Records that were saved and are gone after the power failed, in 20 machines. */
export async function lostToPowerCuts(engine: Engine): Promise<readonly string[]> {
  const lost: string[] = [];
  const key = keyOf('tag', 'a', 'en');
  for (let seed = 1; seed <= 20; seed += 1) {
    const machine = createMachine(seededRandom(seed), engine);
    const process = (name: string): Process => ({ name, isDead: false });
    const base = await machine.openBase(process('first'));
    const { state } = await base.load();
    await base.journal.intend({ op: '1', action: 'create', key, name: 'a', slug: 'a', atMs: 0 });
    const record = { key, id: '1', ownership: 'created', sent: {} } as const;
    await base.journal.end('1', record);
    await base.save({ ...state, records: new Map([[key, record]]) });
    machine.cutPower();
    const after = await machine.openBase(process('second'));
    const { state: found } = await after.load();
    if (!found.records.has(key)) lost.push(`machine ${seed}: ${key} was saved and is gone`);
    await after.close();
  }
  return lost;
}
