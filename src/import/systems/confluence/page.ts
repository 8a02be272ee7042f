import type { SourcePlace } from '../../record.ts';

/** A page as any of the forms says it. */
export interface ConfluencePage {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly parent: string | undefined;
  /** From the top; titles of pages that may not be among what was read. */
  readonly ancestors: readonly { readonly id: string; readonly title: string }[];
  /** Its text: storage format, or HTML of an export as HTML. */
  readonly storage: string;
  readonly html: string | undefined;
  readonly labels: readonly string[];
  readonly position: number | undefined;
  readonly updated: string | undefined;
  readonly author: string | undefined;
  readonly isRestricted: boolean;
  /** `https://x.atlassian.net/wiki`, where the record says it. */
  readonly base: string | undefined;
  /** Below the base. */
  readonly paths: readonly string[];
  /** It had none: the name of its file stands in. */
  readonly isNamedByFile: boolean;
  readonly at: SourcePlace;
}

/** A page with nothing known but its text. */
export const UNSAID = {
  status: 'current',
  parent: undefined,
  ancestors: [],
  storage: '',
  html: undefined,
  labels: [],
  position: undefined,
  updated: undefined,
  author: undefined,
  isRestricted: false,
  base: undefined,
  paths: [],
  isNamedByFile: false,
} as const;
