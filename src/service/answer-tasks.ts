import { readlinkSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from './thread.ts';

/** Makes this module the inside of a thread: each task that comes is answered, one after the other. */
export function answerTasks(work: (task: unknown) => unknown): void {
  const port = parentPort;
  if (port === null) throw new Error('bug: this module runs in a thread only');
  const say = (message: ThreadMessage): void => port.postMessage(message);
  port.on('message', async (task: unknown) => {
    try {
      say({ type: 'done', reply: await work(task) });
    } catch (error) {
      say({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  });
  say({ type: 'loaded', ...systemThread() });
}

/** Linux alone names the thread that asks: `4711/task/4713`. */
function systemThread(): { readonly systemThread?: string } {
  try {
    return { systemThread: readlinkSync('/proc/thread-self') };
  } catch {
    return {};
  }
}
