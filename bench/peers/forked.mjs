/** A server of this bench in a process of its own: `said` is its first message, `ask(what)` one question at a time. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

export async function forked(name, args = []) {
  const child = fork(new URL(name, import.meta.url).pathname, args, { execArgv: [] });
  const [said] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${name} did not start`))),
  ]);
  return {
    said,
    ask: async (what) => {
      child.send(what);
      const [answer] = await once(child, 'message');
      return answer;
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
