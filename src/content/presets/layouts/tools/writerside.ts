import { posix } from 'node:path';
import { filesByName, withNames } from '../../pages/by-name.ts';
import { languageFinder } from '../../pages/page-languages.ts';
import { navigation } from '../../pages/navigation.ts';
import type { NavigationItem } from '../../pages/navigation.ts';
import { pageDialect } from '../../pages/page-dialect.ts';
import { pagePreset } from '../../pages/page-preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';
import type { Preset } from '../../preset.ts';
import { writtenTags } from '../../syntax/families/jsx-tags.ts';
import { topicTitle } from '../../syntax/includes/writerside.ts';
import { SYNTAX } from '../../syntax/syntaxes.ts';
import { withoutComments } from '../../../../text/spans.ts';

const SETTINGS = ['writerside.cfg', 'project.ihp'];
const TOPIC = /\.md$/i;

/**
 * Writerside (https://www.jetbrains.com/help/writerside/), from the folder of writerside.cfg: the tree files of its instances give order and tree, and a topic that none of them lists is not built; `wip="true"` is a
 * draft. Topics and pictures are named without their folders.
 */
export function writersidePreset(input: PresetInput): Preset {
  const { paths, readText } = input;
  const settings = SETTINGS.map(readText).find((text) => text !== undefined) ?? '';
  const said = elements(settings);
  const folderOf = (name: string, usual: string): string =>
    posix.normalize(valueOf(said, name, 'dir') ?? valueOf(said, name, 'src') ?? usual).replace(/\/$/, '');
  const topics = folderOf('topics', 'topics');
  const isBelow = (path: string, folder: string): boolean => folder === '.' || path.startsWith(`${folder}/`);
  const isTopic = (path: string): boolean => isBelow(path, topics);
  const images = folderOf('images', 'images');
  const imagesAddress = (valueOf(said, 'images', 'web-path') ?? 'images').replace(/(?<!\/)\/+$/, '');
  const sources = paths.filter((path) => isTopic(path) && /\.(?:md|topic)$/i.test(path));
  const files = new Map(sources.map((path) => [posix.basename(path), path]));
  const fileOf = (name: string): string | undefined => files.get(posix.basename(name));
  const lists = readText(valueOf(said, 'vars', 'src') ?? 'v.list') ?? '';
  const values = new Map(
    elements(lists).flatMap(({ name, args: { named } }) =>
      name === 'var' && named['name'] !== undefined ? [[named['name'], named['value'] ?? '']] : [],
    ),
  );
  const trees = treeTexts(
    said.flatMap(({ name, args }) => (name === 'instance' ? (args.named['src'] ?? []) : [])),
    readText,
  );
  const drafts = new Set<string>();
  const items = trees.flatMap((tree) =>
    tocItems(tree, {
      fileOf: (topic) => {
        const file = fileOf(topic);
        return file !== undefined && TOPIC.test(file) ? file : undefined;
      },
      titleOf: (topic) => topicTitle(readText(fileOf(topic) ?? '') ?? ''),
      drafts,
    }),
  );
  const starts = trees.flatMap((tree) =>
    elements(tree).flatMap(({ args }) => fileOf(args.named['start-page'] ?? '') ?? []),
  );
  const nav = navigation(items, {
    pathOf: (file) => posix.basename(file).replace(TOPIC, ''),
    original: ({ file }) => file,
    hasTitles: false,
  });
  const find = languageFinder(paths, input, { hasFolders: false, hasSuffixes: false });
  const preset = pagePreset(
    {
      name: 'writerside',
      tree: {
        documents: TOPIC,
        sideFiles: /\.(?:topic|tree|list|cfg|ihp|xml)$/i,
        inLanguage: (path) => {
          if (!TOPIC.test(path)) return find(path);
          return isTopic(path) ? { ...find(path), rest: posix.basename(path) } : undefined;
        },
        index: /(?!)/,
        meta: (page) => {
          const its = nav.meta(page);
          return drafts.has(page.file) ? { ...its, isDraft: true } : its;
        },
        leftOut: ({ file }) =>
          trees.length === 0 || nav.has(file) || starts.includes(file)
            ? undefined
            : 'no tree file lists it, so Writerside does not build it',
      },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: [] },
      // Pictures are copied into one folder.
      fileAddress: (path) =>
        isBelow(path, images) && !/^\/|:/.test(imagesAddress)
          ? `/${imagesAddress}/${path.slice(images === '.' ? 0 : images.length + 1)}`
          : undefined,
      ownAddress: addressOf,
      fileFor: (_, path) => `${topics}/${path}.md`,
      folder: nav.folder,
      variable: (name) => {
        const [kind, ...rest] = name.split(' ');
        if (kind === 'writerside.snippets') return folderOf('snippets', 'codeSnippets');
        if (kind === 'writerside.file') return fileOf(rest.join(' '));
        return kind === 'writerside.value' ? values.get(rest.join(' ')) : undefined;
      },
      sideFiles: [settings, lists, ...trees, ...sources].join('\n'),
      dialect: pageDialect('writerside 1', SYNTAX.writerside),
    },
    input,
  );
  const named = withNames(
    preset,
    filesByName(paths.filter((path) => isTopic(path) || isBelow(path, images))),
  );
  return named.foreign === undefined
    ? named
    : { ...named, foreign: { ...named.foreign, pageSource: /\.topic$/i, pageAddress: addressOf } };
}

type Element = ReturnType<typeof writtenTags>[number];

function elements(xml: string): readonly Element[] {
  return writtenTags(withoutComments(xml), () => false);
}

function valueOf(all: readonly Element[], name: string, key: string): string | undefined {
  return all.find((each) => each.name === name)?.args.named[key];
}

/** The tree files of these names, and those that they take parts from. */
function treeTexts(names: readonly string[], readText: PresetInput['readText']): readonly string[] {
  const texts = new Map<string, string>();
  const wanted = [...names];
  for (const name of wanted) {
    const text = texts.has(name) ? undefined : readText(name);
    if (text === undefined) continue;
    texts.set(name, text);
    for (const { name: tag, args } of elements(text))
      if (tag === 'include' && args.named['from']?.endsWith('.tree') === true)
        wanted.push(args.named['from']);
  }
  return [...texts.values()];
}

const DEPTH_MAX = 100;

interface Toc {
  readonly fileOf: (topic: string) => string | undefined;
  readonly titleOf: (topic: string) => string | undefined;
  /** Files that are still written. */
  readonly drafts: Set<string>;
}

function tocItems(tree: string, { fileOf, titleOf, drafts }: Toc): readonly NavigationItem[] {
  interface Draft extends NavigationItem {
    readonly items: Draft[];
  }
  interface Open {
    readonly items: Draft[];
    readonly isDraft: boolean;
  }
  const top: Open = { items: [], isDraft: false };
  const open: Open[] = [top];
  for (const { name, form, args } of elements(tree)) {
    if (name !== 'toc-element') continue;
    if (form === 'close') {
      if (open.length > 1) open.pop();
      continue;
    }
    const around = open.at(-1) ?? top;
    const { topic, 'toc-title': title, wip } = args.named;
    const file = topic === undefined ? undefined : fileOf(topic);
    const isDraft = around.isDraft || wip === 'true';
    if (file !== undefined && isDraft) drafts.add(file);
    const item: Draft = {
      title: title ?? (topic === undefined ? undefined : titleOf(topic)),
      file,
      items: [],
    };
    around.items.push(item);
    if (form === 'open')
      open.push(open.length > DEPTH_MAX ? { ...around, isDraft } : { items: item.items, isDraft });
  }
  return top.items;
}

/** Addresses are small letters with `-` for blanks and `_`. */
function addressOf(path: string): string {
  return `${posix
    .basename(path)
    .replace(/\.(?:md|topic)$/i, '')
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')}.html`;
}
