/** kbsync against its own service: on a disk, as a user has it, and in memory, as the peers have their mocks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from 'kbsync/service';
import { startService } from '../../processes.mjs';
import { forked } from '../forked.mjs';
import { storedPages } from '../stored-pages.mjs';

const BIN = new URL('../../../dist/cli/bin.js', import.meta.url).pathname;

export const kbsyncOnDisk = {
  name: 'kbsync',
  note: 'kbsync serve, SQLite',
  hasCosts: true,
  faults: ['limit', 'lose'],
  create: '^PUT /api/v2/articles$',
  ready,
  start: async ({ folder }) => {
    const { url, key, stop } = await startService(folder);
    const pages = async () => {
      const store = openSqlite({ file: join(folder, 'kb.db') });
      try {
        return await storedPages(store);
      } finally {
        await store.close();
      }
    };
    return { url, pages, stop, command: commandIn(folder, key) };
  },
};

export const kbsyncInMemory = {
  name: 'kbsync',
  note: 'service in memory',
  hasCosts: true,
  faults: [],
  create: kbsyncOnDisk.create,
  ready,
  start: async ({ folder }) => {
    const { said, ask, stop } = await forked('memory-service.mjs');
    return { url: said.url, pages: () => ask('pages'), stop, command: commandIn(folder, said.key) };
  },
};

async function ready() {
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version;
}

function commandIn(folder, key) {
  writeFileSync(
    join(folder, 'kbsync.yaml'),
    'content: content\ndefaultLanguage: en\nignoreKeys: [category]\n',
  );
  return (url) => ({
    script: BIN,
    args: ['sync', '--base-url', url, '--yes', '--json'],
    env: { KBSYNC_API_KEY: key },
    cwd: folder,
  });
}
