import { isDeepStrictEqual } from 'node:util';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parseDocument } from 'yaml';
import { contentOptions } from '../../../config/content-options.ts';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { contentFolder } from '../../../content/files/folder.ts';
import { movedFiles, type MovedFiles } from '../../../content/moving/move-files.ts';
import type { NamePair } from '../../../content/moving/new-names.ts';
import { loadLayout } from '../../../content/presets/load-layout.ts';
import { git } from '../../../machine/git.ts';
import type { Family } from '../../../model/key.ts';
import { visible } from '../../../model/visible.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { screen as screenOf, type Screen } from '../../print/terminal/screen.ts';
import { EXIT } from '../../run/exit.ts';
import type { World } from '../../world.ts';
import type { MvFlags } from './command.ts';
import { foldersAbove } from '../../../text/path.ts';

/** `kbsync mv A B`: files under other names, and everything that names them. Writes only if all of it comes out right. */
export async function mv(from: string, to: string, flags: MvFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const settings = await loadSettings(flags, world);
  const folder = contentFolder(settings.contentDir);
  const names = await namesOf({ from, to }, settings, world);
  const options = { ...contentOptions(settings, flags, world), cacheFile: undefined };
  const moved = movedFiles({
    names,
    options,
    layout: await loadLayout(options.preset),
    read: (path) => folder.read(path),
    mayBeKnown: await knownNames(names.from, settings, world),
  });
  if ('why' in moved) throw new SetupError('refused', `nothing was moved: ${moved.why}`);
  await checkPlaces(moved, settings, world);
  const config = await configWith(moved, settings, world);
  if (!flags.dryRun) {
    await carryOut(moved, settings, world);
    if (config !== undefined) await world.files.writeText(config.file, config.text);
  }
  say(screen, moved, { settings, world, isDry: flags.dryRun, config: config?.file });
  return EXIT.done;
}

/** Paths as people type them: from the working directory, or from the content folder. */
async function namesOf({ from, to }: NamePair, { contentDir }: Settings, world: World): Promise<NamePair> {
  const inside = (word: string): string => {
    const found = [resolve(world.cwd, word), resolve(contentDir, word)]
      .map((path) => relative(contentDir, path).split(sep).join('/'))
      .find((path) => path !== '' && !path.startsWith('..'));
    if (found !== undefined) return found;
    throw new SetupError(
      'usage',
      `\`${visible(word)}\` lies outside the content folder ${shown(contentDir, world)}`,
    );
  };
  const source = inside(from);
  const isFolder = (path: string): Promise<boolean> =>
    world.files.list(resolve(contentDir, path)).then((list) => list !== undefined);
  const target = inside(to);
  const into = (await isFolder(target)) ? `${target}/${basename(source)}` : target;
  const ending = /\.[^./]+$/.exec(source)?.[0] ?? '';
  const isPage = !(await isFolder(source));
  return { from: source, to: isPage && !/\.[^./]+$/.test(into) ? `${into}${ending}` : into };
}

/**
 * The names that some sync may have written: those in a state beside this one, and all if a commit has the files, because others
 * sync from commits. Without a repository and without a state nobody can tell.
 */
async function knownNames(
  from: string,
  { contentDir, stateFile, sharedState }: Settings,
  world: World,
): Promise<(family: Family) => boolean> {
  const isCommitted = (
    await git(['--literal-pathspecs', 'log', '-1', '--format=%H', '--', from], contentDir)
  )?.trim();
  // Another machine may have synced the name, and nobody is asked here.
  if (sharedState !== undefined) return () => true;
  const folder = dirname(stateFile);
  const names = (await world.files.list(folder)) ?? [];
  const states = await Promise.all(
    names
      .filter((name) => /^state.*\.json$/.test(name))
      .map((name) => world.files.readText(join(folder, name))),
  );
  const isOpen = isCommitted === undefined && states.length === 0;
  if (isOpen || (isCommitted ?? '') !== '') return () => true;
  const text = states.join('\n');
  return (family) => text.includes(`${family}@`);
}

/** What the settings leave out, and what git ignores, has its place all the same. @throws SetupError */
async function checkPlaces({ files }: MovedFiles, { contentDir }: Settings, world: World): Promise<void> {
  for (const path of files.values()) {
    if ((await world.files.modifiedMs(resolve(contentDir, path))) !== undefined)
      throw new SetupError('refused', `nothing was moved: ${visible(path)} exists already`);
  }
}

/** New files first: whoever is interrupted has a file twice, and never not at all. */
async function carryOut({ files, texts }: MovedFiles, { contentDir }: Settings, world: World): Promise<void> {
  const disk = (path: string): string => resolve(contentDir, path);
  for (const [old, now] of files) {
    const text = texts.get(now);
    if (text === undefined) await world.files.copy(disk(old), disk(now));
    else await world.files.writeText(disk(now), text, { isNew: true });
  }
  const moved = new Set(files.values());
  for (const [path, text] of texts) if (!moved.has(path)) await world.files.writeText(disk(path), text);
  for (const old of files.keys()) await world.files.remove(disk(old));
  // An empty folder would take in what is moved back to its name.
  const folders = new Set([...files.keys()].flatMap(foldersAbove));
  for (const folder of [...folders].sort((a, b) => b.length - a.length))
    await world.files.removeEmptyFolder(disk(folder));
}

/** kbsync.yaml with a line more under `moved`; comments and order stay. */
async function configWith(
  { line, takenBack }: Pick<MovedFiles, 'line' | 'takenBack'>,
  { configFile }: Settings,
  world: World,
): Promise<{ readonly file: string; readonly text: string } | undefined> {
  if (line === undefined && takenBack === undefined) return undefined;
  const file = resolve(world.cwd, configFile ?? 'kbsync.yaml');
  const before = withoutLine((await world.files.readText(file)) ?? '', takenBack);
  if (line === undefined) return { file, text: before };
  const item = `{ from: ${JSON.stringify(line.from)}, to: ${JSON.stringify(line.to)} }`;
  const document = parseDocument(before);
  if (document.has('moved')) document.addIn(['moved'], line);
  else {
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    const text = `${before}${gap}moved:\n  - ${item}\n`;
    const { errors } = parseDocument(text);
    if (errors.length === 0) return { file, text };
    // Settings in braces take no line below.
    document.setIn(['moved'], [line]);
  }
  return { file, text: document.toString({ lineWidth: 0 }) };
}

function withoutLine(text: string, line: MovedFiles['takenBack']): string {
  if (line === undefined) return text;
  const item = `  - { from: ${JSON.stringify(line.from)}, to: ${JSON.stringify(line.to)} }\n`;
  if (text.endsWith(`moved:\n${item}`)) return text.slice(0, -`moved:\n${item}`.length);
  if (text.split(item).length === 2) return text.replace(item, '');
  const document = parseDocument(text);
  const lines: unknown = document.toJS();
  const moved: unknown = typeof lines === 'object' && lines !== null && 'moved' in lines ? lines.moved : [];
  const at = Array.isArray(moved) ? moved.findIndex((one: unknown) => isDeepStrictEqual(one, line)) : -1;
  if (at < 0) return text;
  document.deleteIn(Array.isArray(moved) && moved.length === 1 ? ['moved'] : ['moved', at]);
  return document.toString({ lineWidth: 0 });
}

interface Said {
  readonly settings: Settings;
  readonly world: World;
  readonly isDry: boolean;
  readonly config: string | undefined;
}

const LINES_MAX = 20;

function say(screen: Screen, moved: MovedFiles, { settings, world, isDry, config }: Said): void {
  const { files, texts, families, links, line, made, emptied, unread } = moved;
  const folder = shown(settings.contentDir, world);
  const places = new Set(files.values());
  const relinkedFiles = [...texts.keys()].filter((path) => !places.has(path));
  if (screen.isJson) {
    screen.document({
      format: JSON_FORMAT,
      dryRun: isDry,
      files: [...files].map(([from, to]) => ({ from, to })),
      edited: relinkedFiles,
      records: [...families].map(([from, to]) => ({ from, to })),
      links,
      made,
      emptied,
      unread,
      ...(line === undefined ? {} : { line }),
    });
    return;
  }
  const rows = [...files].map(([from, to]) =>
    visible(`${join(folder, from)} ${screen.glyphs.arrow} ${join(folder, to)}`),
  );
  for (const row of screen.isVerbose ? rows : rows.slice(0, LINES_MAX)) screen.answer(row);
  if (!screen.isVerbose && rows.length > LINES_MAX)
    screen.answer(`and ${rows.length - LINES_MAX} more; --verbose names them`);
  for (const path of relinkedFiles) screen.answer(visible(`~ ${join(folder, path)}`));
  for (const key of made) screen.answer(visible(`+ ${key}  the layout makes a category of the new folder`));
  for (const key of emptied) screen.answer(visible(`- ${key}  no page is left in its folder`));
  if (config !== undefined && line !== undefined)
    screen.answer(
      visible(`~ ${shown(config, world)}  moved: ${line.from} ${screen.glyphs.arrow} ${line.to}`),
    );
  for (const { file, line: at, url } of unread)
    screen.answer(
      visible(
        `! ${join(folder, file)}:${at}  links to ${url}, and kbsync does not read this file as a page; correct the link by hand`,
      ),
    );
  const done = isDry ? 'would be moved' : 'moved';
  screen.answer(`${counted(files.size, 'file')} ${done}, ${counted(links, 'link')} written anew`);
}
