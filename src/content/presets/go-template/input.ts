import type { Node } from './template.ts';
import type { Result, Value } from './value.ts';

/** What a template can ask for. */
export interface TemplateInput {
  /** `.Get "name"` and `.Get 0`. */
  readonly argument: (name: string | number) => Value;
  readonly hasNamed: boolean;
  /** What stands between the tags; undefined: there is no closing tag. */
  readonly inner: string | undefined;
  /** `site.Params.a.b` by `a.b`; undefined: the settings have none. */
  readonly siteParam: (path: string) => Value;
  /** `.Page.Param "a"` */
  readonly pageParam: (path: string) => Value;
  /** `site.Data.a.b` by `a.b`: lists, maps and values of a file, null for what it does not have; undefined: there is no file, perhaps a theme elsewhere has it. */
  readonly data: (path: string) => unknown;
  /** The page's own file, from the content folder. */
  readonly pageFile: string;
  /** `readFile "a.md"`, from the site's own folder. */
  readonly file: (path: string) => string | undefined;
  /** A text of one line or of several as it is rendered. */
  readonly markdown: (text: string) => string;
  /** The place of the call among those of its page, or of the call around it, from 0. */
  readonly ordinal: number;
  /** `partial "a.html"`: its parts; undefined: there is no such file, or it has something that is not known. */
  readonly partial: (name: string) => readonly Node[] | undefined;
  /** `site.GetPage "/a"`: what is known of the page; undefined: there is none here. */
  readonly pageAt: (path: string) => Result;
  /** Text that is no markup. */
  readonly escaped: (text: string) => string;
  /** Steps that all templates of a page together may still take, and characters that they may write. */
  readonly budget: { steps: number; chars: number };
}
