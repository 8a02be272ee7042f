import { basename, join, resolve } from 'node:path';
import { addressFrom } from '../../../session/access.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { EXIT } from '../../run/exit.ts';
import type { InitFlags } from './command.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { areArticlesTitled } from './titled-articles.ts';
import { otherFormatsLine } from '../../print/other-formats.ts';
import { recognise } from '../../../config/recognise/recognise.ts';
import type { Recognition } from '../../../config/recognise/recognise.ts';
import type { Recognised } from '../../../config/recognise/recognised.ts';
import { PRESET_WORDS, presetNamed } from '../../../content/presets/names.ts';
import type { PresetName } from '../../../content/presets/names.ts';
import { isLanguageName } from '../../../content/presets/pages/page-languages.ts';
import { configText, recognisedBy, SCHEMA, writtenWithoutContent } from './config-text.ts';
import type { Found } from './config-text.ts';
import { letGitIgnore } from './git-ignore.ts';
import { hostedFiles, isShown, saysFiles } from './hosts.ts';
import { OWN_FOLDER } from '../../../model/own-folder.ts';
import { didYouMean } from '../../../content/suggest.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import type { World } from '../../world.ts';

const KIND_FOLDERS = ['articles/', 'categories/', 'tags/'];
const USUAL_FOLDERS = ['content', 'docs', 'content-example', '.'];

/** `found` undefined: no content. `recognition` undefined: nobody looked for other systems, or our own layout is here. */
interface Seen {
  readonly found?: Found | undefined;
  readonly recognition?: Recognition | undefined;
  /** Folders as our own layout has them, whose articles are written for another one. */
  readonly untitled?: string | undefined;
}

/**
 * `kbsync init`: looks at the folder, writes kbsync.yaml, lets git ignore what kbsync remembers, names the next command. It overwrites nothing but what it wrote itself where no content was yet, if nobody has
 * changed that since.
 */
export async function init(flags: InitFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const file = flags.config ?? 'kbsync.yaml';
  const seen = await findContent(flags, world);
  const { found, recognition } = seen;
  const before = await world.files.readText(resolve(world.cwd, file));
  const empty = found === undefined || before === undefined ? undefined : writtenWithoutContent(before);
  const baseUrl = flags.baseUrl ?? world.env['KBSYNC_BASE_URL'] ?? empty?.baseUrl;
  const keepsFiles =
    baseUrl !== undefined && baseUrl !== '' && (await saysFiles(addressFrom(baseUrl, '--base-url'), world));
  const hosted = await hostedFiles(found?.content, world);
  const [page] = found?.foreign?.files ?? [];
  const isPublic =
    hosted !== undefined && page !== undefined && (await isShown(hosted.rawUrl + encodeURI(page), world));
  const hasSchema = (await world.files.modifiedMs(resolve(world.cwd, SCHEMA))) !== undefined;
  try {
    await world.files.writeText(
      resolve(world.cwd, file),
      configText({
        found,
        id: empty?.id ?? newId(world),
        baseUrl,
        hasSchema,
        keepsFiles,
        hosted,
        isPublic,
      }),
      {
        isNew: empty === undefined,
      },
    );
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new SetupError('refused', `${visible(file)} exists already; nothing was written`, {
      help: 'edit it, or move it away and run kbsync init again',
    });
  }
  const isIgnored = await letGitIgnore(file, world);
  const isOther = recognition !== undefined && recognition.otherFormats.length > 0;
  const next =
    found !== undefined
      ? 'kbsync check'
      : `${isOther ? 'turn the pages into Markdown, put them' : 'put Markdown'} into content/en/articles, then kbsync check`;
  if (screen.isJson) {
    screen.document({
      format: JSON_FORMAT,
      file,
      content: found?.content,
      languages: found?.languages ?? [],
      preset: found?.foreign?.preset ?? 'kbsync',
      ...(isIgnored ? { gitignore: `${OWN_FOLDER}/` } : {}),
      ...(recognition === undefined || found === undefined
        ? {}
        : {
            pages: found.foreign?.pages,
            generator: found.foreign?.generator,
            others: recognition.others.map(({ preset, content, pages }) => ({
              preset,
              content,
              pages,
            })),
            leftAside: recognition.leftAside,
            ...(recognition.contentsPage === undefined ? {} : { contentsPage: recognition.contentsPage }),
          }),
      ...(recognition === undefined ? {} : { otherFormats: recognition.otherFormats }),
      next,
    });
    return EXIT.done;
  }
  screen.answer(
    found === undefined
      ? `wrote ${visible(file)}; no content found yet`
      : `wrote ${visible(file)} for ${visible(found.content)}${found.foreign === undefined ? '' : ` (${found.foreign.preset})`}: ${counted(found.languages.length, 'language')} (${found.languages.map(visible).join(', ')})`,
  );
  for (const line of sawLines(seen)) screen.talk(line);
  if (isIgnored)
    screen.talk(`added ${OWN_FOLDER}/ to .gitignore: there, kbsync remembers what this machine did last`);
  screen.talk(`next: ${next}`);
  return EXIT.done;
}

const READ_AS: Partial<Record<PresetName, string>> = { wiki: 'a wiki', nextra: 'those of Nextra are' };
const LISTED_MAX = 5;

/** What was seen, and what is not part of the content. */
function sawLines({ found, recognition, untitled }: Seen): readonly string[] {
  if (recognition === undefined) return [];
  return [
    ...foreignLines(found?.foreign, recognition),
    ...(untitled === undefined
      ? []
      : [
          `the folders of ${visible(untitled)} are those of kbsync's own layout, but no article has a \`title\` in its front matter; kbsync init --preset kbsync takes that layout`,
        ]),
    ...formatLines(recognition),
  ];
}

/** Documentation that is there and cannot be read. */
function formatLines({ otherFormats }: Recognition): readonly string[] {
  return otherFormats.length === 0 ? [] : [otherFormatsLine(otherFormats)];
}

function foreignLines(foreign: Recognised | undefined, recognition: Recognition): readonly string[] {
  if (foreign === undefined) return [];
  const { others, leftAside, contentsPage } = recognition;
  const pages = leftAside.reduce((sum, each) => sum + each.pages, 0);
  const folders = leftAside
    .slice(0, LISTED_MAX)
    .map((each) => `${visible(each.folder)} ${each.pages}`)
    .join(', ');
  const rest = leftAside.length - LISTED_MAX;
  return [
    `found ${counted(foreign.pages, 'page')}; ${recognisedBy(foreign)}`,
    ...(foreign.generator === undefined
      ? []
      : [
          `${foreign.generator}: kbsync has no layout for it, so its pages are read as ${READ_AS[foreign.preset] ?? 'plain Markdown'}; kbsync check names what ${foreign.generator} would have replaced`,
        ]),
    ...(foreign.preset === 'plain' ? (foreign.written ?? []) : []).map(
      ({ preset, shown, because, pages: its, lookedAt }) =>
        `\`${visible(shown)}\` in ${visible(because)} is what ${preset} replaces (${its} of ${counted(lookedAt, 'page')} hold such marks); kbsync init --preset ${preset} reads the pages so`,
    ),
    ...(foreign.others === undefined
      ? []
      : [
          `not included: folders of packages and builds (${foreign.others.slice(0, LISTED_MAX).map(visible).join(', ')}${foreign.others.length > LISTED_MAX ? ` and ${counted(foreign.others.length - LISTED_MAX, 'more folder')}` : ''}); \`exclude\` in kbsync.yaml names them`,
        ]),
    ...others
      .slice(0, LISTED_MAX)
      .map(
        ({ preset, content, pages: its }) =>
          `also here: ${visible(content)} (${preset}, ${counted(its, 'page')}); kbsync init --content ${visible(content)} takes it instead`,
      ),
    ...(contentsPage === undefined
      ? []
      : [
          `not included: ${visible(contentsPage.file)}, a text about the repository; it links to ${counted(contentsPage.pages, 'page')}, so a copy of it as index.md would be a first page for readers`,
        ]),
    ...(pages === 0
      ? []
      : [
          `not included: ${counted(pages, 'page')} outside ${visible(foreign.content)} (${folders}${rest > 0 ? ` and ${counted(rest, 'more folder')}` : ''})`,
        ]),
  ];
}

/**
 * The first usual folder in which some folder holds articles, else a generator's repository, else Markdown without one.
 * Beside a generator's settings, folders of categories and tags alone are the generator's.
 */
async function findContent(flags: InitFlags, world: World): Promise<Seen> {
  const { content: flag } = flags;
  const preset = presetOf(flags.preset);
  const recognition = preset === 'kbsync' ? undefined : await recognise({ content: flag, preset }, world);
  const system = recognition?.found;
  // Nothing but what pages hold speaks for it: folders of our own layout say more.
  const isOpen = system === undefined || system.preset === 'plain' || system.written !== undefined;
  const kinds = isOpen ? KIND_FOLDERS : KIND_FOLDERS.slice(0, 1);
  const here = isOpen ? await foldersHere(world) : [];
  let untitled: string | undefined;
  for (const content of flag === undefined ? [...USUAL_FOLDERS, ...here] : [flag]) {
    const folder = resolve(world.cwd, content);
    const languages =
      preset === undefined || preset === 'kbsync' ? await languagesIn(folder, kinds, world) : [];
    if (languages.length === 0) continue;
    if (preset === 'kbsync' || system === undefined || (await areArticlesTitled(folder, languages, world)))
      return { found: { content, languages } };
    untitled ??= content;
  }
  if (recognition !== undefined && system !== undefined)
    return {
      found: { content: system.content, languages: system.languages, foreign: system },
      recognition,
      untitled,
    };
  if (flag === undefined) return { recognition };
  throw new SetupError('usage', `--content: \`${visible(flag)}\` holds no language folder`, {
    help: `a language folder holds articles, categories or tags: ${visible(join(basename(flag), 'en', 'articles'))}`,
  });
}

async function foldersHere(world: World): Promise<readonly string[]> {
  const names = (await world.files.list(world.cwd)) ?? [];
  return names.flatMap((name) => (/^[^.].*\/$/.test(name) ? [name.slice(0, -1)] : []));
}

function presetOf(word: string | undefined): PresetName | undefined {
  const known = PRESET_WORDS.find((each) => each === word);
  if (word === undefined || known !== undefined) return known === undefined ? undefined : presetNamed(known);
  throw new SetupError(
    'usage',
    `--preset: there is no preset \`${visible(word)}\`${didYouMean(word, PRESET_WORDS)}`,
    {
      help: `presets are ${PRESET_WORDS.join(', ')}`,
    },
  );
}

async function languagesIn(
  folder: string,
  kinds: readonly string[],
  world: World,
): Promise<readonly string[]> {
  const names = (await world.files.list(folder)) ?? [];
  const languages: string[] = [];
  for (const name of names.filter((entry) => entry.endsWith('/') && isLanguageName(entry.slice(0, -1)))) {
    const inside = (await world.files.list(join(folder, name))) ?? [];
    if (kinds.some((kind) => inside.includes(kind))) languages.push(name.slice(0, -1));
  }
  return languages.sort((a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1));
}

/** The folder’s name, for people, and some digits, because many folders are called docs. */
function newId(world: World): string {
  const name = basename(world.cwd)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  const digits = Math.floor(world.random() * 0x1000000)
    .toString(16)
    .padStart(6, '0');
  return `${name === '' ? 'docs' : name}-${digits}`;
}
