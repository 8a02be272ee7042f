import { assemble } from './assemble.ts';
import type { Assembled } from './assemble.ts';
import type { ContentEditing, ContentOptions, LoadedContent } from './options.ts';
import { leftOut } from './reading/left-out.ts';
import { otherFormats, readsAlso } from './reading/other-formats.ts';
import type { OtherFormat } from './reading/other-formats.ts';
import { enteredPages } from './navigations/entered-pages.ts';
import { listingOf } from './reading/listing.ts';
import type { Listing } from './reading/listing.ts';
import { loadLayout } from './presets/load-layout.ts';
import type { Layout } from './presets/load-layout.ts';
import type { ReadingMemory } from './reading/readings.ts';
import { isNamedIn } from './navigations/names.ts';
import { labelsIn } from './navigations/new-label.ts';
import { once } from '../model/once.ts';
import { isImplied } from './corpus/corpus.ts';
import { resultCache } from './reading/results.ts';

/** `editing`: whoever writes into the files needs all that they say; else it is read once more if somebody asks for it. */
export type ReadFor = 'records' | 'editing';

/**
 * All files of the content folder as the records they want, and everything that is wrong with them, in one pass. Bodies
 * are rendered on demand: a run that finds nothing changed reads no unchanged file and renders nothing. With `memory`
 * (which needs `cacheFile`, beside which the file system's clock is asked) what was read is kept in this process.
 *
 * Throws ContentError `no-content` when the folder is missing. A record's `render` throws ContentError `changed` when
 * its file is no longer what was read.
 */
export async function loadDesired(
  options: ContentOptions,
  memory?: ReadingMemory,
  use: ReadFor = 'records',
): Promise<LoadedContent> {
  const { cacheFile } = options;
  const layout = await loadLayout(options.preset);
  const reading = readingOf(options, layout, memory);
  const kept = onDemand(() => reading, options);
  if (cacheFile === undefined || memory !== undefined) {
    const { state, problems, faulty } = reading.assembled();
    return { state, problems, faulty, ...kept };
  }
  const results = resultCache(reading.listing, options, cacheFile);
  const known = results.load(use === 'editing' ? reading.assembled : reading.assemble);
  if (known !== undefined) return { ...known, ...kept };
  const assembled = use === 'editing' ? reading.assembled() : reading.assemble();
  const { traces, state, problems, faulty, silent } = assembled;
  const loaded = {
    state,
    problems,
    faulty,
    ...(use === 'editing'
      ? kept
      : onDemand(again(options, layout), options, { silent, formats: formatsIn(reading.listing) })),
  };
  return traces === undefined ? loaded : { ...loaded, digest: results.save(assembled, traces) };
}

/** A folder as it was listed, and all that its files say. */
interface Reading {
  readonly listing: Listing;
  readonly assemble: () => Assembled;
  /** The same, kept. */
  readonly assembled: () => Assembled;
}

function readingOf(options: ContentOptions, layout: Layout, memory?: ReadingMemory): Reading {
  const listing = listingOf(options, layout, memory);
  const all = (): Assembled => assemble(listing, options, memory);
  return { listing, assemble: all, assembled: once(all) };
}

/** A function of its own, because a closure keeps all that its own function works with. */
function again(options: ContentOptions, layout: Layout): () => Reading {
  return once(() => readingOf(options, layout));
}

/** What few callers ask for. `said`: what is short enough to be kept of a reading that is not. */
function onDemand(
  reading: () => Reading,
  options: ContentOptions,
  said?: { readonly silent: Assembled['silent']; readonly formats: readonly OtherFormat[] },
): Pick<LoadedContent, 'leftOut' | 'otherFormats' | 'editing'> {
  return {
    leftOut: () => [
      ...leftOut(reading().listing, options),
      ...(said?.silent ?? reading().assembled().silent),
    ],
    otherFormats: () => said?.formats ?? formatsIn(reading().listing),
    editing: once(() => contentEditing(reading().assembled(), reading().listing, options)),
  };
}

function formatsIn({ tree, preset }: Listing): readonly OtherFormat[] {
  return otherFormats(
    tree.files.map(({ path }) => path),
    readsAlso(preset.name),
  );
}

function contentEditing(
  { corpus, draft }: Assembled,
  { preset, layout, sideFiles, readText }: Listing,
  options: ContentOptions,
): ContentEditing {
  const beside = new Set([...sideFiles].filter((path) => !corpus.byPath.has(path)));
  const withDrafts = (drafts: ReadonlyMap<string, string>): ContentOptions => ({ ...options, drafts });
  return {
    draft,
    fileOf: (key) => {
      const file = corpus.byKey.get(key);
      return file === undefined || isImplied(file) ? undefined : file.path;
    },
    namesOnly: (page, other) =>
      [...beside].find((path) => {
        const text = readText(path);
        return text !== undefined && isNamedIn(text, path, page) && !isNamedIn(text, path, other);
      }),
    sideFiles: beside,
    entered: (entries, read = readText) => enteredPages(entries, { sideFiles: beside, read }),
    labels: (names, page) =>
      [...beside]
        .toSorted((a, b) => commonChars(b, page) - commonChars(a, page))
        .flatMap((navigation) => labelsIn(readText(navigation) ?? '', { ...names, navigation })),
    presetWith: (paths, texts = new Map()) =>
      paths.length === 0 && texts.size === 0
        ? preset
        : listingOf(withDrafts(new Map([...paths.map((path) => [path, ''] as const), ...texts])), layout)
            .preset,
    readWith: (drafts) => {
      const drafted = withDrafts(drafts);
      return assemble(listingOf(drafted, layout), drafted);
    },
  };
}

function commonChars(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
