import type { ProblemCase } from '../../model/problem.ts';
import type { SourceFile, UnreadFile } from '../corpus/corpus.ts';

/** Where an address leads. `rest` is its query and anchor, as written. */
export type LinkTarget =
  | { readonly to: 'record'; readonly file: SourceFile; readonly rest: string }
  /** A page whose file has errors. */
  | { readonly to: 'unread'; readonly file: UnreadFile; readonly rest: string }
  /** `publicUrl`: where the site generator's own site shows it, from its root. */
  | {
      readonly to: 'asset';
      readonly path: string;
      readonly rest: string;
      readonly publicUrl?: string | undefined;
      /** The site shows it elsewhere than its place in the repository says. */
      readonly isMoved?: boolean;
    }
  /** A picture from the root (`/images/a.png`): in the site generator's public folder, not in the content folder. */
  | { readonly to: 'public'; readonly url: string }
  /** Another part of the site that the files make; `address` is from its root, or from `page`. Why it is no page here, where that is known. */
  | {
      readonly to: 'site';
      readonly address: string;
      /** From the path of the whole site. */
      readonly page: string | undefined;
      readonly isBelowBase: boolean;
      readonly reason?: string | undefined;
      /** A page that a build makes. */
      readonly isMade?: true;
    }
  /** The heading that became the title of the page itself. */
  | { readonly to: 'top' }
  /** Elsewhere, into the page itself, or nowhere: it stays as it is. */
  | { readonly to: 'as-written' };

export interface ResolvedLink {
  readonly target: LinkTarget;
  readonly problem?: ProblemCase;
}

/** Resolves the links of one run. */
export interface LinkResolver {
  readonly resolve: (from: SourceFile, url: string, isImage: boolean) => ResolvedLink;
}

export const AS_WRITTEN: LinkTarget = { to: 'as-written' };

export function outside(url: string, reason: string | undefined): ProblemCase {
  return { code: 'outside-link', url, ...(reason === undefined ? {} : { reason }) };
}

export function dead(
  url: string,
  isImage: boolean,
  isOutside: boolean,
): ProblemCase & { code: 'dead-link' | 'missing-image' } {
  const hint = MAIL.test(url) ? { suggestion: `mailto:${url}` } : {};
  return { code: isImage ? 'missing-image' : 'dead-link', url, isOutside, ...hint };
}

const MAIL = /^[^\s@/:?#]+@[^\s@/:?#]+\.[a-z]{2,}$/i;
