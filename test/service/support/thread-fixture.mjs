/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
// The inside of a thread for tests: answers what it is told, fails, throws the thread away, or never ends.
import { readlinkSync } from 'node:fs';
import { parentPort, resourceLimits } from 'node:worker_threads';

parentPort.on('message', (task) => {
  if (task === 'spin') for (;;);
  if (task === 'die') process.exit(3);
  if (task === 'wait') {
    setTimeout(() => parentPort.postMessage({ type: 'done', reply: 'waited!' }), 400);
    return;
  }
  if (task === 'throw')
    setImmediate(() => {
      throw new Error('outside of the task');
    });
  else if (task === 'limits')
    parentPort.postMessage({ type: 'done', reply: String(resourceLimits.maxYoungGenerationSizeMb) });
  else if (task === 'fail') parentPort.postMessage({ type: 'failed', message: 'not this one' });
  else parentPort.postMessage({ type: 'done', reply: `${task}!` });
});
const systemThread = process.platform === 'linux' ? readlinkSync('/proc/thread-self') : undefined;
parentPort.postMessage({ type: 'loaded', systemThread });
