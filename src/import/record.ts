/** Where something stands in what was given: a file, and a place in it such as `articles[3]` or `line 120`. */
export interface SourcePlace {
  readonly file: string;
  readonly where: string;
}

export interface SourceTag {
  readonly name: string;
  readonly slug?: string | undefined;
  readonly description?: string | undefined;
}

/** An article or a category of another system in one language, as every mapping hands it over. */
export interface SourceRecord {
  readonly kind: 'article' | 'category';
  /** The same in all languages; no other record of the kind has it. */
  readonly id: string;
  /** Of the id: what stands behind a slug or file name that two records would share. */
  readonly mark: string;
  /** As the source spells it; undefined: the source does not say. */
  readonly lang: string | undefined;
  /** The language that the source translates from. */
  readonly sourceLang?: string | undefined;
  readonly title: string;
  /** Without it the title makes one. */
  readonly slug?: string | undefined;
  readonly html: string;
  /** An article's excerpt, a category's description; plain text. */
  readonly summary?: string | undefined;
  /** Ids of the categories that it is in. For a category the first one is its parent, and the others do not count. */
  readonly parents: readonly string[];
  readonly tags: readonly SourceTag[];
  readonly isDraft: boolean;
  /** Why not everybody may read it; it then comes as a draft, even if `isDraft` is false. */
  readonly restricted?: string | undefined;
  /** Its place among those of its category; any number, equal ones may be many. */
  readonly position?: number | undefined;
  /** ISO 8601, for the newer of two copies. */
  readonly updated?: string | undefined;
  readonly author?: string | undefined;
  /** Where people read it until now; absolute. */
  readonly addresses: readonly string[];
  /** What links of this system say when they mean it (see System.linkNames). */
  readonly names: readonly string[];
  readonly bannerUrl?: string | undefined;
  /** Of a category. */
  readonly iconUrl?: string | undefined;
  readonly hideFromSearch?: boolean | undefined;
  /** What the mapping could not take along, or changed; one sentence each. */
  readonly notes: readonly string[];
  readonly at: SourcePlace;
}

/**
 * `broken` cannot be read · `trash` deleted there · `kind` nothing that a help centre shows · `copy` another copy of the
 * record is newer · `language` not asked for · `restricted` a category that not everybody may see.
 */
export type SkipReason = 'broken' | 'trash' | 'kind' | 'copy' | 'language' | 'restricted';

/** Something that was read and does not come. */
export interface Skipped {
  readonly at: SourcePlace;
  /** `article 123 "Refunds"`, `file` */
  readonly what: string;
  readonly reason: SkipReason;
  readonly why: string;
}

/** What a mapping made of all files. */
export interface Harvest {
  readonly records: readonly SourceRecord[];
  readonly skipped: readonly Skipped[];
}

export interface InputText {
  /** As it was given, or below the folder that was given. */
  readonly path: string;
  readonly text: string;
}

/** Takes the files of one import one after the other, because records of one file name those of another. */
export interface Reader {
  readonly read: (file: InputText) => void;
  readonly end: () => Harvest;
}

export interface ReaderOptions {
  /** The address of the site that the files are from, without a slash at its end; undefined: not known. */
  readonly site: string | undefined;
  /** Of records that do not say it. */
  readonly language: string;
  /** Records are for everybody if the source does not say who may read them. */
  readonly publish: boolean;
  /** Types of records to take for articles besides those that are known (WordPress). */
  readonly types: readonly string[];
}

/** One system's mapping. */
export interface System {
  readonly open: (options: ReaderOptions) => Reader;
  /** Ends of the names of files that are read where a folder is given: `.json`. */
  readonly extensions: readonly string[];
  /** What an address in a text may mean, the surest first, as `SourceRecord.names` has it. */
  readonly linkNames: (url: string, from: SourceRecord) => readonly string[];
}
