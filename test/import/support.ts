import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentFolder } from '../../src/content/content-folder.ts';
import { loadDesired } from '../../src/content/desired.ts';
import { kbsyncPreset } from '../../src/content/presets/kbsync.ts';
import { importRecords } from '../../src/import/import-records.ts';
import type { ImportReport } from '../../src/import/import-report.ts';
import { inputFiles, readInput } from '../../src/import/input-files.ts';
import type { Harvest, Skipped } from '../../src/import/record.ts';
import type { SystemName } from '../../src/import/system-names.ts';
import { systemOf } from '../../src/import/systems.ts';
import type { Problem } from '../../src/model/problem.ts';

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
export function imported(system: SystemName, given: readonly string[], wishes: Wishes = {}): Imported {
  const out = mkdtempSync(join(tmpdir(), 'kbsync-import-'));
  const { language = 'en', site, publish = false } = wishes;
  const harvest = harvestOf(system, given, { language, site, publish });
  const run = (): ImportReport =>
    importRecords(harvest, {
      system: systemOf(system),
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
        ignoreKeys: [],
        allow: new Set(),
      });
      return loaded.problems;
    },
    close: () => rmSync(out, { recursive: true, force: true }),
  };
}

function harvestOf(
  name: SystemName,
  given: readonly string[],
  options: { readonly language: string; readonly site: string | undefined; readonly publish: boolean },
): Harvest {
  const system = systemOf(name);
  const paths = given.map((path) => ({ shown: path, diskPath: path }));
  const { files, skipped } = inputFiles(paths, system.extensions);
  const reader = system.open({ ...options, types: [] });
  const broken: Skipped[] = [...skipped];
  for (const file of files) {
    const read = readInput(file);
    if ('text' in read) reader.read(read);
    else broken.push(read);
  }
  const { records, skipped: left } = reader.end();
  return { records, skipped: [...broken, ...left] };
}
