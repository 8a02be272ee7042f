import { readlinkSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from './thread.ts';

/** Makes this module the inside of a thread: the tasks that come are answered one after the other, in their order. */
export function answerTasks(work: (task: unknown) => unknown): void {
  const port = parentPort;
  if (port === null) throw new Error('bug: this module runs in a thread only');
  const say = (message: ThreadMessage): void => port.postMessage(message);
  const answer = async (task: unknown): Promise<void> => {
    try {
      say({ type: 'done', reply: await work(task) });
    } catch (error) {
      say({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  let last: Promise<void> = Promise.resolve();
  port.on('message', (task: unknown) => {
    last = last.then(() => answer(task));
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
