/** `rclone sync` into its own WebDAV server: the files as they are. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serveWebdav } from '../../rclone.mjs';

function rclone(note, { flags, faults }) {
  return {
    name: 'rclone',
    note,
    hasCosts: true,
    faults,
    create: '^PUT /',
    ready: async () => {
      const { error, stdout } = spawnSync('rclone', ['version'], { encoding: 'utf8' });
      if (error !== undefined) throw new Error('rclone is not installed (apt-get install rclone)');
      return stdout.split('\n')[0].replace('rclone ', '');
    },
    start: async ({ folder, pages }) => {
      const stored = join(folder, 'webdav');
      mkdirSync(stored);
      const { url, stop } = await serveWebdav(stored);
      return {
        url,
        stop,
        pages: async () => filesIn(stored),
        command: (address) => ({
          program: 'rclone',
          args: ['sync', pages, `:webdav,url="${address}",vendor=other:`, '--config', '/dev/null', ...flags],
        }),
      };
    },
  };
}

export const rcloneAsItIs = rclone('as it is: 4 transfers', { flags: [], faults: ['limit', 'lose'] });
export const rcloneAtOnce = rclone('16 transfers', {
  flags: ['--transfers', '16', '--checkers', '16'],
  faults: [],
});

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const body = readFileSync(join(folder, name), 'utf8');
      return { title: /^title: (.*)$/m.exec(body)?.[1], body };
    });
}
