/** Which names in paths are languages. */
export interface LanguageOptions {
  readonly defaultLanguage: string;
  /** Folder or suffix → code. If any are named, no other name means a language. */
  readonly languages: Readonly<Record<string, string>>;
}

export interface InLanguage {
  readonly lang: string;
  /** The folder or suffix that says so; the default language's code where nothing does. */
  readonly languageFolder: string;
  /** The path without it. */
  readonly rest: string;
  /** The same of its own name, where `rest` is that of the original. */
  readonly ownRest?: string;
}

export interface LanguagePlaces {
  readonly hasFolders: boolean;
  readonly hasSuffixes: boolean;
  /** `page-fr.md` and `page_fr.md` too, where the page stands without it or in another language. */
  readonly hasDashes?: boolean;
}

/**
 * Finds languages in the first folder (`fr/page.md`) and in suffixes (`page.fr.md`). Without names in the config, two
 * letters with or without a region are a language only where something else speaks for it: a folder of the default
 * language beside it, or the same page in another language. `ts/` and `config.id.md` are no languages by themselves.
 */
export function languageFinder(
  paths: readonly string[],
  { defaultLanguage, languages }: LanguageOptions,
  places: LanguagePlaces,
): (path: string) => InLanguage {
  const isNamed = Object.keys(languages).length > 0;
  const defaultFolder =
    Object.entries(languages).find(([, code]) => code === defaultLanguage)?.[0] ?? defaultLanguage;
  const codeOf = (name: string): string | undefined => {
    if (Object.hasOwn(languages, name)) return languages[name];
    if (name === defaultFolder) return defaultLanguage;
    return isNamed || !isLanguageName(name) ? undefined : name;
  };
  const all = new Set(paths);
  const hasDefaultFolder = paths.some((path) => path.startsWith(`${defaultFolder}/`));
  const stems = new Map<string, Set<string>>();
  const proofs = new Map<string, Proof>();
  for (const path of paths) {
    const slash = path.indexOf('/');
    const first = path.slice(0, Math.max(0, slash));
    if (places.hasFolders && codeOf(first) !== undefined) {
      const rest = path.slice(slash + 1);
      proofs.set(
        first,
        proofWith(proofs.get(first), rest, all.has(rest) || all.has(`${defaultFolder}/${rest}`)),
      );
    }
    const found = SUFFIX.exec(path);
    if (places.hasSuffixes && codeOf(found?.[2] ?? '') !== undefined) {
      const stem = `${found?.[1]}${found?.[3]}`;
      stems.set(stem, (stems.get(stem) ?? new Set()).add(found?.[2] ?? ''));
    }
  }
  const folders = new Set(
    [...proofs.keys()].filter(
      // Many words have three letters: only a page that stands in both makes a language of one.
      (first) => isNamed || isProved(first, proofs.get(first)) || (hasDefaultFolder && isLanguage(first)),
    ),
  );
  // Beside two that are proved, the next one is a language too, although it has no page of the originals yet. What may be a topic needs one.
  if (!isNamed && [...folders].filter(isLanguage).length > 1)
    for (const [first, { twins }] of proofs)
      if (isLanguage(first) && (!isTopic(first) || twins > 0)) folders.add(first);
  const suffixes = new Map<string, { pages: number; twins: number }>();
  for (const [stem, its] of stems) {
    for (const suffix of its) {
      const count = suffixes.get(suffix) ?? { pages: 0, twins: 0 };
      count.pages += 1;
      if (all.has(stem) || its.size > 1) count.twins += 1;
      suffixes.set(suffix, count);
    }
  }
  /** `mkfs.fat.md` beside `mkfs.md` is no language where most other pages that end so have no twin. */
  const isTwinned = (suffix: string): boolean => {
    const { pages = 0, twins = 0 } = suffixes.get(suffix) ?? {};
    // Many words have three letters.
    return twins * 2 >= pages && twins > Number(isLongLanguage(suffix));
  };
  const translations = places.hasFolders ? translationsIn(paths, codeOf) : undefined;
  const dashed = places.hasDashes === true ? dashedLanguages(paths, codeOf, isNamed) : undefined;
  return (path) => {
    const translation = translations?.get(path);
    if (translation !== undefined) return translation;
    const slash = path.indexOf('/');
    const first = path.slice(0, Math.max(0, slash));
    const inFolder = folders.has(first);
    const found = places.hasSuffixes ? SUFFIX.exec(path) : null;
    const suffix = found?.[2] ?? '';
    const stem = `${found?.[1]}${found?.[3]}`;
    const code = codeOf(suffix);
    const isSuffix =
      code !== undefined &&
      (isNamed ||
        suffix === defaultFolder ||
        (isTwinned(suffix) && (all.has(stem) || (stems.get(stem)?.size ?? 0) > 1)));
    const bare = isSuffix ? stem : path;
    if (inFolder) return { lang: codeOf(first) ?? first, languageFolder: first, rest: bare.slice(slash + 1) };
    if (isSuffix) return { lang: code, languageFolder: suffix, rest: bare };
    const ending = dashed?.get(path);
    if (ending !== undefined) return ending;
    return { lang: defaultLanguage, languageFolder: defaultFolder, rest: path };
  };
}

/** The pages of a folder, and how many of its files stand in the originals too. */
interface Proof {
  readonly pages: number;
  readonly twins: number;
  /** Every folder may have an index, as the whole site has. */
  readonly indexTwins: number;
  readonly fileTwins: number;
}

const NO_PROOF: Proof = { pages: 0, twins: 0, indexTwins: 0, fileTwins: 0 };

function proofWith(proof: Proof = NO_PROOF, path: string, isTwin: boolean): Proof {
  const isPage = ANY_PAGE.test(path);
  const kind = !isPage ? 'fileTwins' : isIndex(path) ? 'indexTwins' : 'twins';
  return { ...proof, pages: proof.pages + Number(isPage), [kind]: proof[kind] + Number(isTwin) };
}

/** `fr` is a language by one file of the originals. What may be a topic needs half of its pages, and one that is no index. */
function isProved(name: string, { pages, twins, indexTwins, fileTwins }: Proof = NO_PROOF): boolean {
  if (isTopic(name)) return twins > 0 && (twins + indexTwins) * 2 >= pages;
  return twins + indexTwins + fileTwins > 0;
}

/** `translations/fr/guide/page.md` for `guide/page.md`: a language if half of its pages have an original. */
function translationsIn(
  paths: readonly string[],
  codeOf: (name: string) => string | undefined,
): ReadonlyMap<string, InLanguage> {
  const all = new Set(paths);
  const found = paths.flatMap((path) => {
    const [, languageFolder = '', rest = ''] = TRANSLATION.exec(path) ?? [];
    const lang = languageFolder === '' ? undefined : codeOf(languageFolder);
    return lang === undefined ? [] : [{ path, lang, languageFolder, rest }];
  });
  const twins = new Map<string, number>();
  for (const { languageFolder, rest } of found)
    if (PAGE.test(rest))
      twins.set(languageFolder, (twins.get(languageFolder) ?? 0) + (all.has(rest) ? 1 : -1));
  return new Map(
    found
      .filter(({ languageFolder }) => (twins.get(languageFolder) ?? -1) >= 0)
      .map(({ path, ...its }) => [path, its]),
  );
}

const TRANSLATION = /^translations\/([^/]+)\/(.+)$/;
const PAGE = /\.(?:md(?:x|oc)?|markdown)$/i;

/**
 * `page-fr.md`, `page_zh-Hant.md`: many words end so. A suffix is a language if half of its pages stand in another language too, and more than
 * one page or more than one language says so; of a README one is enough. `git-rm.md` beside `git-add.md` and `git.md` is a name in a row of names, no
 * page in another language.
 */
function dashedLanguages(
  paths: readonly string[],
  codeOf: (name: string) => string | undefined,
  isNamed: boolean,
): ReadonlyMap<string, InLanguage> {
  const all = new Set(paths);
  const found = paths.flatMap((path) => {
    const [, stem = '', suffix = '', end = ''] = DASHED.exec(path) ?? [];
    const lang = suffix === '' || PROGRAMS.test(suffix) ? undefined : codeOf(suffix);
    return lang === undefined ? [] : [{ path, suffix, lang, rest: `${stem}${end}` }];
  });
  const perRest = new Map<string, number>();
  for (const { rest } of found) perRest.set(rest, (perRest.get(rest) ?? 0) + 1);
  const others = isNamed ? undefined : longerNames(paths, new Set(found.map(({ path }) => path)));
  const isTwin = (rest: string): boolean => {
    const its = perRest.get(rest) ?? 0;
    return (all.has(rest) || its > 1) && (others?.(rest) ?? 0) < its;
  };
  const proofs = new Map<string, { pages: number; twins: number; isProved: boolean }>();
  for (const { suffix, rest } of found) {
    const proof = proofs.get(suffix) ?? { pages: 0, twins: 0, isProved: false };
    const isMany = (perRest.get(rest) ?? 0) > 1 || README.test(rest);
    proofs.set(suffix, {
      pages: proof.pages + 1,
      twins: proof.twins + Number(isTwin(rest)),
      isProved: proof.isProved || (isMany && isTwin(rest) && all.has(rest)),
    });
  }
  const isProved = (suffix: string): boolean => {
    const { pages = 0, twins = 0, isProved: isSure = false } = proofs.get(suffix) ?? {};
    return twins * 2 >= pages && (isSure || twins > 1);
  };
  return new Map(
    found
      .filter(({ suffix, rest }) => isTwin(rest) && (isNamed || isProved(suffix)))
      .map(({ path, suffix, lang, rest }) => [path, { lang, languageFolder: suffix, rest }]),
  );
}

/** How many pages begin with a page's whole name and a dash, and end in no language: `git-add.md` for `git.md`. */
function longerNames(paths: readonly string[], inLanguage: ReadonlySet<string>): (rest: string) => number {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (inLanguage.has(path)) continue;
    const { 0: end = '', index = path.length } = /\.\w+$/.exec(path) ?? {};
    const first = path.lastIndexOf('/') + 1;
    for (const { index: at } of path
      .slice(first, Math.min(index, first + NAME_CHARS_MAX))
      .matchAll(/[-_]/g)) {
      const shorter = path.slice(0, first + at) + end;
      counts.set(shorter, (counts.get(shorter) ?? 0) + 1);
    }
  }
  return (rest) => counts.get(rest) ?? 0;
}

/** Longer than any name of a file on a disk. */
const NAME_CHARS_MAX = 255;

const DASHED =
  /^(.+?)[-_]([A-Za-z]{2}(?:[-_](?:[A-Za-z]{2}|[A-Za-z]{4}))?)(\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown))$/;
const README = /(?:^|\/)readme\.\w+$/i;
/** Also what programs are written in, and `in`, which has long been `id`. */
const PROGRAMS = /^(?:ts|rs|cs|sh|ml|pl|in)$/;

const SUFFIX =
  /^(.+)\.(\p{L}{2,12}(?:[-_][A-Za-z0-9]+)?)(\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|Rmd))$/u;

let names: Intl.DisplayNames | undefined;

const ANY_PAGE = /\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|Rmd)$/i;
/** `io/index.md`, `ml/README.md`. */
const INDEX = /(?:^|\/)(?:_?index|readme|home)\.\w+$/i;

/** A page that any folder may have. */
export function isIndex(path: string): boolean {
  return INDEX.test(path);
}

/** What documentation has folders for, and is a code too: `ml` is Malayalam, `io` is Ido, `hr` is Croatian, `pa` is Punjabi. */
const TOPICS =
  /^(?:am|ar|bi|bm|ce|cs|cv|da|ee|ha|hr|id|ie|io|is|it|ks|kv|lb|lo|ml|mr|my|no|om|os|pa|pi|pl|ps|rn|sc|sd|se|sg|si|sm|so|ss|st|sw|te|ti|to|tr|ts|tt|uk|vi)$/i;

/** May a folder of this name be a topic? Many words have three letters. */
export function isTopic(name: string): boolean {
  return TOPICS.test(name) || isLongLanguage(name);
}

/** Folders of repositories that are also codes of languages. */
const WORDS =
  /^(?:src|bin|lib|doc|api|app|sdk|dev|cli|css|faq|new|old|map|man|log|tmp|pkg|out|run|gen|ref|tag|com|sub|sys|web|bug|art|add|arc|dot|key|sun|war)$/i;

/** The name of a folder or a suffix that is a code of a language. */
export function isLanguageName(name: string): boolean {
  return isLanguage(name) || isLongLanguage(name);
}

/** Three letters that are a language (`fil`, `yue`), with or without a script or region. */
function isLongLanguage(name: string): boolean {
  if (WORDS.test(name) || !/^[a-z]{3}(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?$/i.test(name)) return false;
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return names.of(name.slice(0, 3).toLowerCase()) !== undefined;
}

/** Two letters that are a language, with or without a script or region. */
export function isLanguage(name: string): boolean {
  if (!/^[a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?$/i.test(name)) return false;
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return names.of(name.slice(0, 2).toLowerCase()) !== undefined;
}
