import { basename, join, resolve } from 'node:path';
import { addressFrom } from '../address.ts';
import { CliError } from '../cli-error.ts';
import { EXIT } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { JSON_FORMAT } from '../json.ts';
import { counted } from '../numbers.ts';
import { visible } from '../plain.ts';
import { foldersWithPages, recognise, recognisePlain } from '../recognise.ts';
import type { Recognised } from '../recognise.ts';
import { screen as screenOf } from '../screen.ts';
import type { World } from '../world.ts';

const SCHEMA = 'node_modules/kbsync/dist/kbsync.schema.json';
const KIND_FOLDERS = ['articles/', 'categories/', 'tags/'];
const USUAL_FOLDERS = ['content', 'docs', 'content-example', '.'];

interface Found {
  readonly content: string;
  /** Folder names, the default language first. */
  readonly languages: readonly string[];
  /** Undefined: our own layout. */
  readonly foreign?: Recognised;
}

/** `kbsync init`: looks at the folder, writes kbsync.yaml, overwrites nothing, names the next command. */
export async function init(flags: CommonFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const file = flags.config ?? 'kbsync.yaml';
  const found = await findContent(flags.content, world);
  const baseUrl = flags.baseUrl ?? world.env['KBSYNC_BASE_URL'];
  if (baseUrl !== undefined && baseUrl !== '') addressFrom(baseUrl, '--base-url');
  const hasSchema = (await world.files.modifiedMs(resolve(world.cwd, SCHEMA))) !== undefined;
  try {
    await world.files.writeText(resolve(world.cwd, file), configText({ found, baseUrl, hasSchema }), {
      isNew: true,
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new CliError('refused', `${visible(file)} exists already; nothing was written`, {
      help: 'edit it, or move it away and run kbsync init again',
    });
  }
  const next =
    found === undefined ? `put Markdown into content/en/articles, then kbsync check` : 'kbsync check';
  if (screen.isJson) {
    screen.document({
      format: JSON_FORMAT,
      file,
      content: found?.content,
      languages: found?.languages ?? [],
      preset: found?.foreign?.preset ?? 'kbsync',
      next,
    });
    return EXIT.done;
  }
  screen.answer(
    found === undefined
      ? `wrote ${visible(file)}; no content found yet`
      : `wrote ${visible(file)} for ${visible(found.content)}${found.foreign === undefined ? '' : ` (${found.foreign.preset})`}: ${counted(found.languages.length, 'language')} (${found.languages.map(visible).join(', ')})`,
  );
  screen.talk(`next: ${next}`);
  return EXIT.done;
}

/**
 * The first usual folder in which some folder holds articles, else a generator's repository, else Markdown without one.
 * Beside a generator's settings, folders of categories and tags alone are the generator's.
 */
async function findContent(flag: string | undefined, world: World): Promise<Found | undefined> {
  const system = await recognise(flag, world);
  const kinds = system === undefined ? KIND_FOLDERS : KIND_FOLDERS.slice(0, 1);
  for (const content of flag === undefined ? USUAL_FOLDERS : [flag]) {
    const languages = await languagesIn(resolve(world.cwd, content), kinds, world);
    if (languages.length > 0) return { content, languages };
  }
  const foreign = system ?? (await recognisePlain(flag === undefined ? ['content', 'docs'] : [flag], world));
  if (foreign !== undefined) return { content: foreign.content, languages: foreign.languages, foreign };
  if (flag === undefined) return elsewhere(world);
  throw new CliError('usage', `--content: \`${visible(flag)}\` holds no language folder`, {
    help: `a language folder holds articles, categories or tags: ${visible(join(basename(flag), 'en', 'articles'))}`,
  });
}

/** Pages in one folder of another name are meant; among several only a person can choose. */
async function elsewhere(world: World): Promise<Found | undefined> {
  const folders = await foldersWithPages(world);
  const [first, ...others] = folders;
  if (first === undefined) return undefined;
  if (others.length === 0) return findContent(first.name, world);
  const shown = folders.map(({ name, pages }) => `${visible(name)} (${counted(pages, 'page')})`).join(', ');
  throw new CliError('usage', `several folders hold Markdown: ${shown}; nothing was written`, {
    help: `kbsync init --content ${visible(first.name)}`,
  });
}

async function languagesIn(
  folder: string,
  kinds: readonly string[],
  world: World,
): Promise<readonly string[]> {
  const names = (await world.files.list(folder)) ?? [];
  const languages: string[] = [];
  for (const name of names.filter((entry) => /^[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*\/$/.test(entry))) {
    const inside = (await world.files.list(join(folder, name))) ?? [];
    if (kinds.some((kind) => inside.includes(kind))) languages.push(name.slice(0, -1));
  }
  return languages.sort((a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1));
}

function configText(facts: {
  readonly found: Found | undefined;
  readonly baseUrl: string | undefined;
  readonly hasSchema: boolean;
}): string {
  const { found, baseUrl, hasSchema } = facts;
  const languages = found?.languages ?? ['en'];
  // Another system's folders may look like languages; what is named here is all there is.
  const mapped = languages.filter(
    (name) => codeOf(name) !== name || (found?.foreign !== undefined && languages.length > 1),
  );
  const foreign = found?.foreign;
  return [
    ...(hasSchema ? [`# yaml-language-server: $schema=./${SCHEMA}`] : []),
    '# What kbsync keeps in step, and with what. The key is never here: export KBSYNC_API_KEY.',
    '',
    '# Address of the knowledge base, without /api/v2.',
    baseUrl === undefined || baseUrl === ''
      ? '# baseUrl: https://help.example.com'
      : `baseUrl: ${JSON.stringify(baseUrl)}`,
    '',
    ...(foreign === undefined
      ? ['# The folder that holds the languages: content/en/articles/getting-started/install.md']
      : [
          `# Read in place, because ${plain(foreign.because)} is there. Nothing in the repository has to change.`,
          `preset: ${foreign.preset}`,
          '',
          '# The folder that holds the pages.',
        ]),
    `content: ${JSON.stringify(found?.content ?? 'content')}`,
    '',
    '# Records are created in this language; the others are its translations.',
    `defaultLanguage: ${JSON.stringify(codeOf(languages[0] ?? 'en'))}`,
    '',
    foreign === undefined
      ? '# Folder name to language code, where they differ.'
      : '# Folder or suffix (page.fr.md) to language code; no other name is taken for a language.',
    mapped.length === 0
      ? '# languages: { zh-cn: zh-CN }'
      : `languages: { ${mapped.map((name) => `${name}: ${codeOf(name)}`).join(', ')} }`,
    '',
    '# Your front matter names, where they are not ours: our field, then yours.',
    '# fields: { excerpt: description }',
    '',
    ...(foreign === undefined
      ? ['# Front matter keys that are meant for other tools.', '# ignoreKeys: [layout]']
      : [
          '# What becomes of shortcodes and components, by name: drop, keep (their text), or a replacement.',
          '# components: { youtube: { replace: "<https://youtu.be/{0}>" }, tabs: keep }',
        ]),
    '',
    '# Values of articles whose front matter does not say. Without this, the site keeps what editors chose.',
    '# defaults: { status: published }',
    '',
    '# Addresses of pages on the site, for links between files.',
    '# articleUrl: /{lang}/articles/{slug}',
    '',
    '# Where images are published: those of the content folder, and those from the root (/images/a.png).',
    '# assets: { baseUrl: https://cdn.example.com/docs/, rootUrl: https://www.example.com }',
    '',
    '# Raw HTML in Markdown: sanitize drops what could run, trust sends it as it is.',
    'html: sanitize',
    '',
    '# Ends each body with a comment that says what kbsync wrote, so that a fresh clone needs no state file.',
    'stamp: true',
    '',
    '# Other knowledge bases: kbsync plan --env staging',
    '# environments: { staging: { baseUrl: https://staging.example.com } }',
    '',
  ].join('\n');
}

/** In a comment, in one line. */
function plain(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ');
}

/** `zh-cn` and `zh_CN` are folders of `zh-CN`: region codes are written in capitals (BCP 47). */
function codeOf(folder: string): string {
  return folder
    .split(/[-_]/)
    .map((part, index) =>
      index > 0 && part.length === 2 ? part.toUpperCase() : index === 0 ? part.toLowerCase() : part,
    )
    .join('-');
}
