/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
// The inside of a thread for tests: answers what it is told in its order, fails, throws the thread away, or never ends.
import { readlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parentPort, resourceLimits } from 'node:worker_threads';

const done = (reply) => ({ type: 'done', reply });

async function answer(task) {
  switch (task) {
    case 'spin':
      for (;;);
    case 'die':
      return process.exit(3);
    case 'wait':
      await setTimeout(400);
      return done('waited!');
    case 'throw':
      setImmediate(() => {
        throw new Error('outside of the task');
      });
      return new Promise(() => {});
    case 'work': {
      const endMs = performance.now() + 120;
      while (performance.now() < endMs);
      return done('worked!');
    }
    case 'limits':
      return done(String(resourceLimits.maxYoungGenerationSizeMb));
    case 'clock':
      return done(String(Date.now()));
    case 'fail':
      return { type: 'failed', message: 'not this one' };
    default:
      return done(`${task}!`);
  }
}

let last = Promise.resolve();
parentPort.on('message', (task) => {
  last = last.then(async () => parentPort.postMessage(await answer(task)));
});
const systemThread = process.platform === 'linux' ? readlinkSync('/proc/thread-self') : undefined;
parentPort.postMessage({ type: 'loaded', systemThread });
