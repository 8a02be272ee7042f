import { cpSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeWorld } from '../../cli/support/fake-world.ts';
import { hasCorpora, reasonWithoutCorpora, unpackCorpus } from '../../support/corpus.ts';

if (!hasCorpora) process.stderr.write(`${reasonWithoutCorpora()}\n`);

/** `KBSYNC_WHOLE_CORPORA=1` takes everything, which needs a minute and a half. */
const IS_WHOLE = process.env['KBSYNC_WHOLE_CORPORA'] === '1';
const FOLDERS: Readonly<Record<string, RegExp>> = {
  'cncf-glossary': /^(?:en|ur)\/(?:categories|tags|articles\/(?:home|general\/[a-c]))/,
  'hetzner-tutorials': /^en\/(?:categories|tags|articles\/(?:cloud|general)\/[a-z])/,
  'otel-docs': /^(?:en|ja)\/(?:categories|tags|articles\/docs\/concepts)\b/,
};

const SETTINGS = `assets: { baseUrl: https://cdn.example.com }
languages: { zh-cn: zh-CN }
allow: [dead-link, dead-anchor, missing-image, unknown-category, unknown-tag]
`;

describe.skipIf(!hasCorpora)('real documentation', () => {
  let root = '';
  beforeAll(() => {
    root = unpackCorpus('dev-neutral');
  });
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  test.each(Object.entries(FOLDERS))(
    '%s: sync, pull into an empty folder, and the next syncs on both sides write nothing',
    async (name, excerpt) => {
      const from = join(root, 'neutral/dev', name);
      const world = await fakeWorld({
        'kbsync.yaml': `${SETTINGS}fields: { categoryParent: parent }\nignoreKeys: [sourcePath]\n`,
        'pulled.yaml': SETTINGS,
      });
      const files = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter(
        (file) => /\/(?:articles|categories|tags)\/.*\.md$/.test(file) && (IS_WHOLE || excerpt.test(file)),
      );
      for (const file of files) cpSync(join(from, file), join(world.cwd, 'content', file));
      const made = JSON.parse((await world.run('sync', '--json')).stdout) as { summary: { created: number } };
      const elsewhere = ['--config', 'pulled.yaml', '--content', 'pulled', '--state', 'elsewhere/state.json'];
      const pulled = JSON.parse((await world.run('pull', '--json', ...elsewhere)).stdout) as {
        problems: readonly unknown[];
        summary: { created: number; left: number; text: { texts: number; clean: number; inexact: number } };
      };
      expect(pulled.summary).toMatchObject({ created: made.summary.created, left: 0 });
      expect(pulled.problems).toEqual([]);
      const { texts, clean, inexact } = pulled.summary.text;
      expect(clean / texts).toBeGreaterThan(0.75);
      expect(inexact / texts).toBeLessThan(0.03);
      world.sent.length = 0;
      for (const argv of [['sync', ...elsewhere], ['sync']]) {
        expect((await world.run(...argv)).stdout).toContain('in sync');
      }
      expect(world.sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
      expect(readFileSync(join(world.cwd, 'elsewhere/state.json'), 'utf8').length).toBeGreaterThan(1000);
      await world.close();
    },
    180_000,
  );
});
