/** What the site says besides the content, in one language. */
export interface Words {
  readonly skip: string;
  readonly home: string;
  readonly search: string;
  readonly searchHint: string;
  readonly language: string;
  readonly theme: string;
  /** Light or dark as the device is set. */
  readonly system: string;
  readonly light: string;
  readonly dark: string;
  readonly contents: string;
  /** Names the breadcrumbs. */
  readonly path: string;
  /** `{date}` is a day, written out. */
  readonly updated: string;
  readonly tags: string;
  readonly articles: string;
  readonly categories: string;
  /** Names the list of articles that stand beside the one being read. */
  readonly section: string;
  readonly previous: string;
  readonly next: string;
  readonly notTranslated: string;
  /** `{language}` and `{original}` are names of languages in the reader’s own. */
  readonly fallback: string;
  /** `{query}` and `{count}`. */
  readonly results: string;
  readonly nothingFound: string;
  readonly otherWords: string;
  readonly notFound: string;
  readonly notFoundText: string;
  /** Heading of the page that was deleted, and what it says. */
  readonly gone: string;
  readonly goneText: string;
  readonly didYouMean: string;
  readonly otherLanguages: string;
  readonly draft: string;
  /** Beside the title of an article that a pull request changes. */
  readonly changed: string;
  readonly preview: string;
  readonly leavePreview: string;
  readonly releases: string;
  readonly recent: string;
  readonly more: string;
  readonly copy: string;
  readonly copied: string;
  readonly linkToHeading: string;
  readonly table: string;
  readonly done: string;
  readonly toDo: string;
  readonly failed: string;
  readonly failedText: string;
  readonly empty: string;
  /** Beside the number of the active version. */
  readonly current: string;
  /** Above the search of the start page. */
  readonly intro: string;
  readonly menu: string;
  /** Names the list that opens below the search field. */
  readonly suggestions: string;
  /** `{query}` found nothing; `{meant}` is what was looked for instead. */
  readonly showingFor: string;
  /** `{meant}` was looked for besides. */
  readonly alsoFor: string;
  readonly mostRead: string;
  readonly related: string;
  /** Above a translation; `{date}` is a day, written out. */
  readonly outdated: string;
  /** Below an article, with the two answers. */
  readonly question: string;
  readonly yes: string;
  readonly no: string;
  /** After an answer. */
  readonly thanks: string;
  /** By the plural categories of the language; a category that is missing is `other`. */
  readonly articleCount: Plural;
}

/** A sentence with `{count}` for each plural category that differs in the language. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };
