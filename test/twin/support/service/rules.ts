import type { Kind, Value } from './row.ts';

/** What the API text leaves open about the knowledge base itself, each with the answer of a plain service in PLAIN. */
export interface Rules {
  /** What an id looks like. `lowest-free` is used again after a delete; `per-kind` counts in each kind. */
  readonly ids:
    | 'uuid'
    | 'number'
    | 'per-kind'
    | 'lowest-free'
    | 'hex'
    | 'slashed'
    | 'unicode'
    | 'long'
    | 'huge-number';
  /** What the answer to a create tells of the id. */
  readonly createTells:
    | 'nothing'
    | 'location'
    | 'location-relative'
    | 'data-id'
    | 'id'
    | 'data'
    | 'location-of-slug'
    | 'location-of-first';
  readonly createStatus: 200 | 201 | 202;
  /** Milliseconds until a create is seen by reads, and by lists. */
  readonly createVisibleMs: number;
  readonly createListedMs: number;
  /** Milliseconds until reads and lists show an edit, and a delete. */
  readonly editVisibleMs: number;
  readonly deleteVisibleMs: number;
  /** One read of this many shows what stood before the last `staleMs`; 0: none. */
  readonly staleEvery: number;
  readonly staleMs: number;
  /** One single read of this many shows what stood before the last change, with its date; 0: none. Lists are new. */
  readonly oldSinglesEvery: number;

  readonly listOrder: 'created' | 'newest' | 'edited' | 'name' | 'random';
  /** Most rows that a list shows. */
  readonly listCut: Readonly<Partial<Record<Kind, number>>>;
  readonly listCutKeeps: 'oldest' | 'newest' | 'edited';
  readonly limitSays: number | 'length' | 'none';
  readonly listDrafts: boolean;
  /** Translations are rows of lists too. */
  readonly listTranslations: boolean;
  /** Which translations a row names. */
  readonly namesTranslations: 'all' | 'published' | 'none' | 'own-too';
  /** How the service spells a language that it was sent. */
  readonly spellsLanguage: 'as-sent' | 'lower' | 'underscore' | 'upper-region' | 'lower-underscore';
  readonly languages: readonly string[];
  readonly originalLanguage: 'null' | 'code';

  /** How one asks for a translation. `own-id`: only by its own id. */
  readonly readsLanguage: 'query' | 'own-id' | 'ignored' | 'refused';
  /** What is shown of a language without a translation. */
  readonly missingLanguage: 'new-version' | 'not-found' | 'original' | 'new-version-empty';
  readonly translationId: 'own' | 'originals';
  /** What an edit in a language does that the service does not have in `languages`. */
  readonly foreignLanguage: 'takes' | 'refuses' | 'says-yes' | 'edits-original';
  /** What an edit with `lang` of another language than the original's does. */
  readonly editsLanguage: 'translation' | 'original' | 'refuses' | 'says-yes' | 'copy-first';
  /** What an edit with the default language does. Where it is refused, one without any is an edit of the original. */
  readonly editsDefault: 'original' | 'refuses';
  /** Fields that all languages of a record share. */
  readonly shared: readonly string[];
  /** Reads of a translation show the ids of the translated categories where there are some. */
  readonly translatedRelations: boolean;
  /** A translation shows the original's value of a field that it has empty. */
  readonly inheritsEmpty: boolean;
  /** A new translation begins with this status, whatever is sent. */
  readonly translationsBegin: 'as-sent' | 'draft';
  /** `with-original`: whoever makes an article makes its copy in every other language. */
  readonly translationsCome: 'asked-for' | 'with-original';
  /** An article's translation needs its categories translated first. */
  readonly translationNeedsCategory: boolean;

  readonly slugTaken: 'allow' | 'reject' | 'suffix';
  readonly slugScope: 'language' | 'all';
  /** Slugs of deleted records stay taken. */
  readonly slugsStayTaken: boolean;
  readonly nameTaken: 'allow' | 'reject' | 'says-yes';
  /** A create with the slug of a living record edits that one; of a deleted one brings it back. */
  readonly createWithSlug: 'creates' | 'upserts' | 'revives';
  readonly leftOut: 'kept' | 'reset';
  readonly nullMeans: 'clear' | 'nothing';

  /** `listed-404`: lists go on to show it and reads deny it. `status`: both show it, with a status of its own. */
  readonly deletes: 'gone' | 'listed-404' | 'status' | 'says-yes' | 'refuses' | 'needs-two' | 'unpublishes';
  readonly deletedStatus: string;
  readonly deleteOriginal: 'cascades' | 'orphans' | 'refuses';
  /** `takes-all`: whoever deletes a translation deletes its original and all other languages. */
  readonly deleteTranslation: 'alone' | 'takes-all';
  readonly deleteCategory: 'refuses' | 'cascades' | 'detaches';

  /** What moves the date of the last edit. */
  readonly editedMoves: 'edit' | 'content' | 'view' | 'never';
  /** An edit of a translation moves the original's date. */
  readonly translationMoves: boolean;
  readonly dates: 'text' | 'iso' | 'seconds' | 'minutes' | 'local' | 'offset' | 'epoch';
  /** The service's clock beside ours, milliseconds. */
  readonly clockOffMs: number;

  /** How the service says that it does not do something. */
  readonly errors: 'codes' | '200' | '500' | '400';
  readonly unknownId: '404' | '400' | '500' | '200' | '410' | '403';
  /** An API edit of a published article changes a copy that waits to be published. */
  readonly editsWait: 'no' | 'draft-copy';
  /** What a create sets, whatever is sent. */
  readonly createSets: Readonly<Record<string, Value>>;
  readonly etags: 'none' | 'honoured' | 'ignored' | 'weak-compared-strongly' | 'weak-shown';
  /** A read of a draft is denied. */
  readonly hidesDrafts: boolean;
  /** Saving one article numbers all articles of its category anew, from 1. */
  readonly renumbers: boolean;
  /** An id is another one after each edit; the old one is unknown. */
  readonly versionsHaveIds: boolean;
}

/** The text of the API, read in the most ordinary way; nothing beyond the text is sent. */
export const PLAIN: Rules = {
  ids: 'uuid',
  createTells: 'nothing',
  createStatus: 200,
  createVisibleMs: 0,
  createListedMs: 0,
  editVisibleMs: 0,
  deleteVisibleMs: 0,
  staleEvery: 0,
  staleMs: 0,
  oldSinglesEvery: 0,
  listOrder: 'created',
  listCut: {},
  listCutKeeps: 'oldest',
  limitSays: 25,
  listDrafts: true,
  listTranslations: false,
  namesTranslations: 'all',
  spellsLanguage: 'as-sent',
  languages: ['en', 'fr', 'de', 'pt-BR'],
  originalLanguage: 'null',
  readsLanguage: 'query',
  missingLanguage: 'new-version',
  translationId: 'own',
  foreignLanguage: 'takes',
  editsLanguage: 'translation',
  editsDefault: 'original',
  shared: [],
  translatedRelations: false,
  inheritsEmpty: false,
  translationsBegin: 'as-sent',
  translationsCome: 'asked-for',
  translationNeedsCategory: false,
  slugTaken: 'reject',
  slugScope: 'language',
  slugsStayTaken: false,
  nameTaken: 'allow',
  createWithSlug: 'creates',
  leftOut: 'kept',
  nullMeans: 'clear',
  deletes: 'gone',
  deletedStatus: 'deleted',
  deleteOriginal: 'refuses',
  deleteTranslation: 'alone',
  deleteCategory: 'refuses',
  editedMoves: 'edit',
  translationMoves: true,
  dates: 'text',
  clockOffMs: 0,
  errors: 'codes',
  unknownId: '404',
  editsWait: 'no',
  createSets: {},
  etags: 'none',
  hidesDrafts: false,
  renumbers: false,
  versionsHaveIds: false,
};
