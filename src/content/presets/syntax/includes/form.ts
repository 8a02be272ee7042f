import type { ComponentRules } from '../../../component-rules.ts';
import type { PageSurroundings } from '../../preset.ts';
import type { WrittenTag } from '../families/jsx-tags.ts';

/** One way to take in a text that stands elsewhere in the repository. */
export interface IncludeForm {
  /** Its name below `components:`; a rule of that name goes before. */
  readonly name: string;
  readonly find: (text: string, page: IncludingPage) => Iterable<Inclusion>;
  /** Whether it stands in code as well. */
  readonly isInCode?: boolean;
}

export interface IncludingPage {
  /** From the content folder. */
  readonly file: string;
  readonly isMdx: boolean;
  readonly rules: ComponentRules;
  /** The value of a name that settings in the repository give (`site.title`); undefined: none. */
  readonly variable: (name: string) => string | undefined;
  /** What templates may still do and write, all that are put into the page together. */
  readonly budget: { steps: number; chars: number };
  /** The page that takes all of it in. */
  readonly page: PageSurroundings;
}

/** A place with what is put there. */
export interface Inclusion {
  readonly start: number;
  readonly end: number;
  /** A text that is known already. */
  readonly text?: string;
  /** Files that it may mean, from the content folder, best first. */
  readonly files?: readonly string[];
  /** Lines, a region or a part of the file; answers what is wrong where it has no such part. */
  readonly part?: (text: string) => PartOfFile;
  /** Code in a fence of this language instead of Markdown. */
  readonly code?: string;
  /** The text's own links count from its own file. */
  readonly isRebased?: boolean;
  /** What the text is given, by the name it uses for it (`{{ include.title }}`). */
  readonly adapt?: (text: string) => string;
}

export type PartOfFile = { readonly text: string } | { readonly missing: string };

/** What a text of MDX is given by the tag that stands for it: `{props.name}` and `{name}` in it. */
export function givenTo({ args }: Pick<WrittenTag, 'args'>): (part: string) => string {
  return (part) =>
    part.replaceAll(/\{(?:props\.)?([\w$]+)\}/g, (whole, key: string) => args.named[key] ?? whole);
}
