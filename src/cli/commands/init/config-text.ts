import type { Recognised } from '../../../config/recognise/recognised.ts';
import { visible } from '../../../model/visible.ts';
import { counted } from '../../print/terminal/numbers.ts';
import type { HostedFiles } from './hosts.ts';

/** Where a repository with kbsync among its packages has the schema of kbsync.yaml. */
export const SCHEMA = 'node_modules/kbsync/dist/kbsync.schema.json';

export interface Found {
  readonly content: string;
  /** Folder names, the default language first. */
  readonly languages: readonly string[];
  /** Undefined: our own layout. */
  readonly foreign?: Recognised;
}

interface ConfigFacts {
  /** Undefined: there is no content yet. */
  readonly found: Found | undefined;
  /** Of this repository. */
  readonly id: string;
  readonly baseUrl: string | undefined;
  /** Editors find the schema of kbsync.yaml in the folder. */
  readonly hasSchema: boolean;
  /** The service keeps images and files itself. */
  readonly keepsFiles: boolean;
  readonly hosted: HostedFiles | undefined;
  /** The host showed a page of them to `init`, which sent no credentials. */
  readonly isPublic: boolean;
}

/** What a kbsync.yaml says that `init` wrote without content and that nobody has changed; undefined: it is another one. */
export function writtenWithoutContent(
  text: string,
): { readonly id: string; readonly baseUrl: string | undefined } | undefined {
  const id = /^id: ([\w-]+)$/m.exec(text)?.[1];
  const quoted = /^baseUrl: "([^"\\\n]*)"$/m.exec(text)?.[1];
  if (id === undefined) return undefined;
  const facts = { found: undefined, id, baseUrl: quoted, hosted: undefined, isPublic: false };
  const isOwn = [true, false].some((hasSchema) =>
    [true, false].some((keepsFiles) => configText({ ...facts, hasSchema, keepsFiles }) === text),
  );
  return isOwn ? { id, baseUrl: quoted } : undefined;
}

/** The text of a new kbsync.yaml: what was found, and each further setting as a comment. */
export function configText(facts: ConfigFacts): string {
  const { found, id, baseUrl, hasSchema, keepsFiles } = facts;
  const foreign = found?.foreign;
  return [
    ...(hasSchema ? [`# yaml-language-server: $schema=./${SCHEMA}`] : []),
    '# Settings of kbsync. The key does not belong here: export KBSYNC_API_KEY.',
    '',
    '# Address of the knowledge base, without /api/v2.',
    baseUrl === undefined || baseUrl === ''
      ? '# baseUrl: https://help.example.com'
      : `baseUrl: ${JSON.stringify(baseUrl)}`,
    '',
    '# Name of this repository. kbsync marks its records with it, so two repositories never overwrite each other.',
    `id: ${id}`,
    '',
    ...layoutLines(foreign),
    `content: ${JSON.stringify(found?.content ?? 'content')}`,
    '',
    ...languageLines(found),
    '',
    '# Names that your front matter uses for the fields of kbsync. Here, `description` is the excerpt.',
    '# fields: { excerpt: description }',
    '',
    ...(foreign === undefined
      ? ['# Front matter keys of other tools.', '# ignoreKeys: [layout]']
      : [
          '# What kbsync does with a shortcode or component, by its name: drop, keep (its text), or replace.',
          '# components: { youtube: { replace: "<https://youtu.be/{0}>" }, tabs: keep }',
        ]),
    '',
    '# Values for articles whose front matter does not have the field. Without a value, editors decide on the site.',
    '# defaults: { status: published }',
    '',
    '# Address of an article on the site. Links between files lead there.',
    '# articleUrl: /{lang}/articles/{slug}',
    '',
    '# Where your images are published: baseUrl for relative addresses, rootUrl for those like /images/a.png.',
    ...(keepsFiles ? UNNEEDED_ASSETS : assetsLines(facts)),
    '',
    ...(foreign === undefined ? [] : siteLines(foreign, facts)),
    '# How `kbsync dev` and `kbsync build` show the help centre: its name, colour, logo and links.',
    foreign?.siteName === undefined
      ? '# site: { name: Acme Help, accent: "#7a1fa2" }'
      : `site: { name: ${JSON.stringify(foreign.siteName)} }`,
    '',
    '# Raw HTML in Markdown: sanitize leaves out what could run code, trust sends everything.',
    'html: sanitize',
    '',
    '# Ends each body with a comment that says what kbsync wrote, so a fresh clone needs no state file.',
    'stamp: true',
    '',
    '# Other knowledge bases: kbsync plan --env staging',
    '# environments: { staging: { baseUrl: https://staging.example.com } }',
    '',
  ].join('\n');
}

function layoutLines(foreign: Recognised | undefined): readonly string[] {
  if (foreign === undefined)
    return [
      '# The folder that holds one folder for each language: content/en/articles/getting-started/install.md',
    ];
  return [
    `# The system that the files are written for; ${plain(recognisedBy(foreign))}. Your files stay as they are.`,
    ...(foreign.generator === undefined
      ? []
      : [`# kbsync has no layout for ${foreign.generator} yet; kbsync check names what it cannot read.`]),
    `preset: ${foreign.preset}`,
    '',
    '# The folder that holds the pages.',
  ];
}

function languageLines(found: Found | undefined): readonly string[] {
  const languages = found?.languages ?? ['en'];
  const foreign = found?.foreign;
  const code = (name: string): string => foreign?.codes[name] ?? codeOf(name);
  // Another system's folders may look like languages; what is named here is all there is.
  const mapped = languages.filter(
    (name) => code(name) !== name || (foreign !== undefined && languages.length > 1),
  );
  return [
    '# The language of the originals. Files in other languages are translations of them.',
    `defaultLanguage: ${JSON.stringify(code(languages[0] ?? 'en'))}`,
    '',
    foreign === undefined
      ? '# Language codes of folders whose name is not the code.'
      : '# Folders or suffixes (page.fr.md) that are languages, with their codes. Other names are not languages.',
    mapped.length === 0
      ? '# languages: { zh-cn: zh-CN }'
      : `languages: { ${mapped.map((name) => `${name}: ${code(name)}`).join(', ')} }`,
  ];
}

function siteLines(foreign: Recognised, facts: ConfigFacts): readonly string[] {
  const { exclude } = foreign;
  return [
    '# Address of the website of these files. Links to pages outside the content folder lead there.',
    ...siteUrlLines(foreign, facts),
    '',
    '# Files that are not pages of the knowledge base.',
    exclude.length === 0
      ? '# exclude: [internal/**]'
      : `exclude: [${exclude.map((glob) => JSON.stringify(glob)).join(', ')}]`,
    '',
  ];
}

/** Files without a generator are read at the host of the repository: links to its other files lead there. */
function siteUrlLines(
  { siteUrl, preset, generator }: Recognised,
  { hosted, isPublic }: ConfigFacts,
): readonly string[] {
  const line = (url: string): string => `siteUrl: ${JSON.stringify(url)}`;
  if (siteUrl !== undefined) return [line(siteUrl)];
  if (hosted === undefined || preset !== 'plain' || generator !== undefined)
    return ['# siteUrl: https://docs.example.com'];
  if (isPublic) return ['# The host of this repository shows them to everybody.', line(hosted.pageUrl)];
  return [
    '# If this repository is public, its host shows these files: then use this line.',
    `# ${line(hosted.pageUrl)}`,
  ];
}

/** A plain folder is known by its pages alone. */
export function recognisedBy({ preset, because, generator, written }: Recognised): string {
  if (preset === 'plain' && generator === undefined) return 'no site generator was recognised';
  const mark = written?.find((each) => each.preset === preset);
  return mark === undefined
    ? `recognised by ${visible(because)}`
    : `recognised by \`${visible(mark.shown)}\` in ${visible(because)} (such marks stand in ${mark.pages} of ${counted(mark.lookedAt, 'page')})`;
}

const UNNEEDED_ASSETS: readonly string[] = [
  '# This service keeps images and files itself, so kbsync sends them there and the setting is not needed.',
  '# assets: { baseUrl: https://cdn.example.com/docs/, rootUrl: https://www.example.com }',
];

/** What the site's own settings say; the repository's own address is for a person to take, unless the host itself shows that it is public. */
function assetsLines({ found, hosted, isPublic }: ConfigFacts): readonly string[] {
  const foreign = found?.foreign;
  const root = foreign?.siteUrl;
  const base = foreign?.assetsBaseUrl;
  const line = (...parts: readonly (string | undefined)[]): string =>
    `assets: { ${parts.filter((part) => part !== undefined).join(', ')} }`;
  const setting = (name: string, url: string | undefined): string | undefined =>
    url === undefined ? undefined : `${name}: ${JSON.stringify(url)}`;
  const said = root === undefined ? undefined : line(setting('baseUrl', base), setting('rootUrl', root));
  if (hosted === undefined || base !== undefined)
    return [said ?? '# assets: { baseUrl: https://cdn.example.com/docs/, rootUrl: https://www.example.com }'];
  const raw = line(setting('baseUrl', hosted.rawUrl), setting('rootUrl', root));
  if (isPublic) return ['# The host of this repository shows the images to everybody.', raw];
  return [
    '# If this repository is public, its host shows the images: then use this line.',
    `# ${raw}`,
    ...(said === undefined ? [] : [said]),
  ];
}

/** In a comment, in one line. */
function plain(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ');
}

/** `zh-cn` and `zh_CN` are folders of `zh-CN`, `zh-hans` of `zh-Hans`: as BCP 47 writes regions and scripts. */
function codeOf(folder: string): string {
  return folder
    .split(/[-_]/)
    .map((part, index) =>
      index === 0
        ? part.toLowerCase()
        : part.length === 2
          ? part.toUpperCase()
          : /^[a-z]{4}$/i.test(part)
            ? `${part.slice(0, 1).toUpperCase()}${part.slice(1).toLowerCase()}`
            : part,
    )
    .join('-');
}
