import { resolve } from 'node:path';
import { languageCode } from '../../../import/records/language.ts';
import type { ImportReport } from '../../../import/report.ts';
import type { SystemName } from '../../../import/system-names.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { EXIT } from '../../run/exit.ts';
import { urlsOf } from '../../../config/content-options.ts';
import type { ImportFlags } from './command.ts';
import { importDocument, importLines } from './print.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import { loadSettings, type Settings } from '../../../config/settings.ts';
import { keepHeapSmall } from '../../run/small-heap.ts';
import type { World } from '../../world.ts';
import { picturesFor } from './pictures.ts';
import { isUrl } from '../../../text/url.ts';

/** `kbsync import SYSTEM FILE… --out DIR`: an export as files of our layout, a report, and a map of addresses. */
export async function importFiles(
  name: SystemName,
  given: readonly string[],
  flags: ImportFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  const settings = await loadSettings(flags, world);
  const target = await folderToWrite(flags.out, world);
  const site = siteOf(flags.site);
  const [
    { systemOf },
    { harvestOf },
    { importRecords, recordsToWrite },
    { contentFolder },
    { kbsyncPreset },
  ] = await Promise.all([
    import('../../../import/systems.ts'),
    import('../../../import/files/harvest.ts'),
    import('../../../import/import-records.ts'),
    import('../../../content/files/folder.ts'),
    import('../../../content/presets/layouts/kbsync.ts'),
  ]);
  keepHeapSmall();
  const system = systemOf(name);
  const language = languageFor(flags, settings);
  const reading = { site, language, publish: flags.publish, types: flags.type };
  const paths = given.map((path) => ({ shown: path, diskPath: resolve(world.cwd, path) }));
  const { harvest, fileCount, passedOver } = harvestOf(system, paths, reading);
  const { file } = settings;
  const folder = contentFolder(target);
  const sorting = {
    language,
    defaultLanguage: file.defaultLanguage,
    languages: flags.lang.length === 0 ? undefined : flags.lang.map((code) => known(code, '--lang')),
  };
  const records = recordsToWrite(harvest, sorting);
  const pictures = await picturesFor(
    records,
    { given: paths, folder, site, dryRun: flags.dryRun },
    flags,
    world,
  );
  const report = importRecords(harvest, {
    ...sorting,
    ...(pictures === undefined ? {} : { pictures }),
    system,
    site,
    folder,
    layout: { preset: kbsyncPreset(file.languages ?? {}), ...writingOf(file) },
    clean: flags.clean,
    dryRun: flags.dryRun,
  });
  const run = {
    system: name,
    fileCount,
    passedOver,
    out: flags.out,
    dryRun: flags.dryRun,
    html: file.html ?? 'sanitize',
  };
  if (screen.isJson) screen.document(importDocument(report, run));
  else for (const line of importLines(report, { ...run, screen, settings })) screen.answer(line);
  return exitOf(report);
}

/** @throws SetupError where a file has the name */
async function folderToWrite(out: string, { cwd, files }: World): Promise<string> {
  const target = resolve(cwd, out);
  const isFile = (await files.list(target)) === undefined && (await files.modifiedMs(target)) !== undefined;
  if (!isFile) return target;
  throw new SetupError('refused', `\`${visible(out)}\` is a file; nothing was written`, {
    help: 'name a folder',
  });
}

/** How kbsync.yaml wants files to be written. */
function writingOf(file: Settings['file']) {
  // Drafts stay drafts, even if a later kbsync.yaml names another default.
  const { status: _, ...defaults } = file.defaults ?? {};
  return {
    fields: file.fields ?? {},
    defaults,
    urls: urlsOf(file),
    html: file.html ?? 'sanitize',
    assetsBaseUrl: file.assets?.baseUrl,
  } as const;
}

function siteOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const isAddress = isUrl(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isAddress) {
    throw new SetupError('usage', `--site: \`${visible(text)}\` is not an address`, {
      help: 'such as https://help.example.com',
    });
  }
  return text.replace(/[?#].*$/s, '').replace(/(?<!\/)\/+$/, '');
}

function languageFor(flags: ImportFlags, { file }: Settings): string {
  return flags.language === undefined ? (file.defaultLanguage ?? 'en') : known(flags.language, '--language');
}

function known(text: string, flag: string): string {
  const code = languageCode(text);
  if (code !== undefined) return code;
  throw new SetupError('usage', `${flag}: \`${visible(text)}\` is not a language code`, {
    help: 'such as `en` or `pt-BR`',
  });
}

/** Failed where nothing came; partly where something could not be read or written. */
function exitOf({ records, skipped, redirectsFile, assets }: ImportReport): number {
  const isBroken = skipped.some(({ reason }) => reason === 'broken');
  if (records.length === 0) return EXIT.failed;
  const isLeft = records.some(({ action }) => action === 'left');
  const isUnsaved = redirectsFile !== undefined && 'why' in redirectsFile;
  const isImageLeft = (assets?.failed.length ?? 0) > 0;
  return isBroken || isLeft || isUnsaved || isImageLeft ? EXIT.partly : EXIT.done;
}
