import { contentOptions } from '../../../config/content-options.ts';
import { join, relative, resolve, sep } from 'node:path';
import type { Conversion, ConvertedFile } from '../../../content/convert.ts';
import { PRESET_NAMES, presetNamed } from '../../../content/presets/names.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { EXIT } from '../../run/exit.ts';
import { printFindings } from '../../run/read-files.ts';
import type { ConvertFlags } from './command.ts';
import { JSON_FORMAT, problemJson } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { findingOf, findingSum } from '../../print/problems.ts';
import type { Finding } from '../../print/problems.ts';
import { recognise } from '../../../config/recognise/recognise.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import type { Screen } from '../../print/terminal/screen.ts';
import { loadSettings } from '../../../config/settings.ts';
import type { Settings } from '../../../config/settings.ts';
import type { World } from '../../world.ts';

/** What became of the files. `path`s are below the new folder. */
interface ConvertedCounts {
  files: number;
  assets: number;
  readonly left: { readonly path: string; readonly urls: readonly string[] }[];
}

/**
 * `kbsync convert IN OUT`: another system's repository as files of our own layout. Writes into a new or empty folder only;
 * an error in the content stops it before the first file.
 */
export async function convert(
  input: string,
  output: string,
  flags: ConvertFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  const settings = await settingsFor(input, flags, world);
  const target = resolve(world.cwd, output);
  await refuseUsed(target, settings, output, world);
  const { convert: conversionOf } = await import('../../../content/convert.ts');
  const conversion = await conversionOf({ ...contentOptions(settings, flags, world), cacheFile: undefined });
  const findings = conversion.problems.map(findingOf);
  await printFindings(findings, screen.complain, { screen, world, hasFrames: screen.hasFrames });
  if (findings.some(({ severity }) => severity === 'error')) {
    screen.complain(`${findingSum(findings, conversion.fileCount)}; nothing was written`);
    if (screen.isJson) screen.document(documentOf(output, findings, undefined));
    return EXIT.failed;
  }
  const written: ConvertedCounts = { files: 0, assets: 0, left: [] };
  for (const file of conversion.files()) await write(file, target, written, world);
  if (screen.isJson) screen.document(documentOf(output, findings, written));
  else say(screen, { conversion, written, output, settings });
  return EXIT.done;
}

async function settingsFor(input: string, flags: ConvertFlags, world: World): Promise<Settings> {
  const settings = await loadSettings({ ...flags, content: input }, world);
  const near = await recognise({ content: input }, world);
  const inside = { cwd: resolve(world.cwd, input), files: world.files };
  const recognised = near.found ?? (await recognise({}, inside)).found;
  // Plain Markdown says nothing of the system that wrote it.
  const found = recognised?.preset === 'plain' ? undefined : recognised;
  const word = flags.preset ?? settings.file.preset ?? found?.preset;
  const preset = word === undefined ? undefined : presetNamed(word);
  if (preset === undefined || preset === 'kbsync') {
    const names = PRESET_NAMES.filter((name) => name !== 'kbsync').join(', ');
    throw new SetupError('usage', `which system wrote \`${visible(input)}\`? say it with --preset`, {
      help: `presets are ${names}`,
    });
  }
  const said =
    settings.file.defaultLanguage ?? (found?.preset === preset ? found.defaultLanguage : undefined);
  const file = { ...settings.file, preset, ...(said === undefined ? {} : { defaultLanguage: said }) };
  return { ...settings, file };
}

async function refuseUsed(target: string, settings: Settings, output: string, world: World): Promise<void> {
  const inside = relative(settings.contentDir, target);
  if (inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`))) {
    throw new SetupError(
      'refused',
      `\`${visible(output)}\` lies inside the folder that is read; nothing was written`,
      {
        help: 'name a folder beside it',
      },
    );
  }
  const names = await world.files.list(target);
  const isThere = names !== undefined || (await world.files.modifiedMs(target)) !== undefined;
  if (!isThere || names?.length === 0) return;
  const what = names === undefined ? 'is a file' : 'is not empty';
  throw new SetupError('refused', `\`${visible(output)}\` ${what}; nothing was written`, {
    help: 'name a folder that is new or empty: convert never writes over anything',
  });
}

async function write(
  file: ConvertedFile,
  target: string,
  written: ConvertedCounts,
  world: World,
): Promise<void> {
  await world.files.writeText(join(target, file.path), file.text, { isNew: true });
  written.files += 1;
  if (file.left.length > 0) written.left.push({ path: file.path, urls: file.left });
  for (const { path, diskPath } of file.assets) {
    const to = join(target, path);
    if ((await world.files.modifiedMs(to)) !== undefined) continue;
    await world.files.copy(diskPath, to);
    written.assets += 1;
  }
}

interface Said {
  readonly conversion: Conversion;
  readonly written: ConvertedCounts;
  readonly output: string;
  readonly settings: Settings;
}

function say(screen: Screen, { conversion, written, output, settings }: Said): void {
  const files = `${counted(written.files, 'file')} in ${counted(conversion.languages.length, 'language')}`;
  const assets = written.assets === 0 ? '' : ` and ${counted(written.assets, 'asset')}`;
  screen.answer(`wrote ${files}${assets} into ${visible(output)}`);
  for (const { path, urls } of written.left) {
    screen.complain(`${visible(join(output, path))}: left as they were: ${urls.map(visible).join(', ')}`);
  }
  const { defaultLanguage = 'en' } = settings.file;
  const language =
    defaultLanguage === 'en' ? '' : ` (with \`defaultLanguage: ${defaultLanguage}\` in kbsync.yaml)`;
  screen.talk(`next: kbsync check --content ${visible(output)}${language}`);
}

function documentOf(
  output: string,
  findings: readonly Finding[],
  written: ConvertedCounts | undefined,
): object {
  return {
    format: JSON_FORMAT,
    output,
    files: written?.files ?? 0,
    assets: written?.assets ?? 0,
    left: written?.left ?? [],
    problems: findings.map(problemJson),
  };
}
