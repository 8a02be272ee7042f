import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentFolder } from '../../../src/content/files/folder.ts';
import { loadDesired } from '../../../src/content/load-content.ts';
import { kbsyncPreset } from '../../../src/content/presets/layouts/kbsync.ts';
import { importRecords } from '../../../src/import/import-records.ts';
import type { ImportReport } from '../../../src/import/report.ts';
import { harvestOf } from '../../../src/import/files/harvest.ts';
import type { Harvest } from '../../../src/import/record.ts';
import type { SystemName } from '../../../src/import/system-names.ts';
import { systemOf } from '../../../src/import/systems.ts';
import type { Problem } from '../../../src/model/problem.ts';

const URLS = {
  article: '/{lang}/articles/{slug}',
  category: '/{lang}/categories/{slug}',
  tag: '/{lang}/tags/{slug}',
};

export interface Imported {
  readonly harvest: Harvest;
  readonly report: ImportReport;
  /** A file below the folder that was written. */
  readonly file: (path: string) => string;
  /** Where such a file lies. */
  readonly path: (path: string) => string;
  readonly files: readonly string[];
  /** The same once more into the same folder. */
  readonly again: () => ImportReport;
  /** What a check finds in the files. */
  readonly problems: () => Promise<readonly Problem[]>;
  readonly close: () => void;
}

interface Wishes {
  readonly language?: string;
  readonly site?: string;
  readonly publish?: boolean;
}

/** An import of files or folders, as the command does it, into a folder of its own. */
export function imported(name: SystemName, given: readonly string[], wishes: Wishes = {}): Imported {
  const out = mkdtempSync(join(tmpdir(), 'kbsync-import-'));
  const { language = 'en', site, publish = false } = wishes;
  const system = systemOf(name);
  const paths = given.map((path) => ({ shown: path, diskPath: path }));
  const { harvest } = harvestOf(system, paths, { language, site, publish, types: [] });
  const run = (): ImportReport =>
    importRecords(harvest, {
      system,
      site,
      language,
      defaultLanguage: undefined,
      languages: undefined,
      folder: contentFolder(out),
      layout: {
        preset: kbsyncPreset({}),
        fields: {},
        defaults: {},
        urls: URLS,
        html: 'sanitize',
        assetsBaseUrl: undefined,
      },
      clean: true,
      dryRun: false,
    });
  const report = run();
  return {
    harvest,
    report,
    file: (path) => readFileSync(join(out, path), 'utf8'),
    path: (path) => join(out, path),
    files: readdirSync(out, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.\w+$/.test(name))
      .sort(),
    again: run,
    problems: async () => {
      const loaded = await loadDesired({
        contentDir: out,
        cwd: out,
        defaultLanguage: report.defaultLanguage,
        languages: {},
        preset: 'kbsync',
        fields: {},
        defaults: {},
        components: {},
        urls: URLS,
        assetsBaseUrl: undefined,
        html: 'sanitize',
        nowMs: Date.parse('2026-11-22T12:00:00Z'),
        ignoreKeys: [],
        allow: new Set(),
      });
      return loaded.problems;
    },
    close: () => rmSync(out, { recursive: true, force: true }),
  };
}
