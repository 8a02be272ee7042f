/** A shortcode, a component, a container, an include: `{{< name … >}}`, `<Name …>`, `::: name`, `{% name … %}`. */
export interface Tag {
  readonly syntax: TagSyntax;
  readonly name: string;
  readonly form: 'open' | 'close' | 'self';
  readonly start: number;
  /** Behind its last character. A block that ends by its indent has a closing tag without characters. */
  readonly end: number;
  readonly args: TagArguments;
  /** As it is in the file, in one line, for the message; only of a syntax whose arguments have an order of their own. */
  readonly written?: string;
  /** Columns that lines inside are indented by, where the syntax says so; else what they have in common. */
  readonly insideIndent?: number;
}

export interface TagArguments {
  readonly named: Readonly<Record<string, string>>;
  readonly positional: readonly string[];
  /** Values that are JavaScript, as written. */
  readonly computed?: Readonly<Record<string, string>>;
}

/** One way to write tags. */
export interface TagSyntax {
  /** For the message. */
  readonly what: 'shortcode' | 'component' | 'liquid tag' | 'expression' | 'container' | 'include';
  /** How the tag is written, for the message. */
  readonly shown: (tag: Tag) => string;
  /** What only this syntax means by a name; undefined: as everywhere. */
  readonly meaning: (part: Part) => Meaning | undefined;
}

/** A tag with what stands between it and its closing tag. */
export interface Part {
  readonly tag: Tag;
  readonly closer: Tag | undefined;
  readonly children: readonly Part[];
  readonly parent: Part | undefined;
  /** The text between the two tags; empty where there is no closing tag. */
  readonly inside: string;
}

/** What a part becomes. */
export type Meaning =
  /** The tags go, what is between them stays; `isInline`: to the letter, no block is made of it. */
  | { readonly as: 'keep'; readonly isInline?: boolean }
  /** All of it goes; `isMeant`: the site itself does not show it, so nobody misses its words. */
  | { readonly as: 'drop'; readonly isMeant?: boolean }
  /** Markdown in place of the whole part; `isInline`: never a block of its own. */
  | { readonly as: 'text'; readonly text: string; readonly isInline?: boolean }
  /** What is inside, with a line of Markdown above it or lines of Markdown below it. */
  | { readonly as: 'labelled'; readonly label: string; readonly below?: string }
  /** A quote with a kind and a title. */
  | ({ readonly as: 'box' } & Box)
  /** What is inside, folded below its summary; `id`: what links of the page lead to it by. */
  | { readonly as: 'fold'; readonly summary: string; readonly isOpen?: boolean; readonly id?: string }
  /** What is inside, between two HTML tags. */
  | ({ readonly as: 'around' } & Around)
  /** What is inside is code, in any form. */
  | { readonly as: 'code'; readonly language: string; readonly label?: string };

export interface Around {
  readonly open: string;
  readonly close: string;
  /** A tag of a line of text. */
  readonly isInline?: boolean;
  /** The tag takes text and no blocks: a run of text inside stays in its line, as Markdown, or where Markdown is not read there as HTML. */
  readonly run?: 'markdown' | 'html';
}

export interface Box {
  readonly kind: BoxKind;
  /** Undefined: the kind's word in the language of the text. */
  readonly title?: string | undefined;
}

export type BoxKind = 'note' | 'tip' | 'important' | 'warning' | 'caution';

export const NO_ARGUMENTS: TagArguments = { named: {}, positional: [] };

const ARGUMENT =
  /([\w:@.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"'>]+))|"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"']+)/g;

/** `name="value" 'text' word`, as shortcodes and Liquid write them. */
export function tagArguments(text: string): TagArguments {
  const named: Record<string, string> = {};
  const positional: string[] = [];
  for (const [, name, a, b, c, d, e, f, g, h] of text.matchAll(ARGUMENT)) {
    const value = (a ?? b ?? c ?? d ?? e ?? f ?? g ?? h ?? '').replaceAll(/\\(["\\])/g, '$1');
    if (name === undefined) positional.push(value);
    else named[name] = value;
  }
  return { named, positional };
}
