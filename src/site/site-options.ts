import type { Store } from '../service/store/store.ts';

export interface SiteOptions {
  readonly store: Store;
  /** Default: `Help`. */
  readonly name?: string;
  /** Colour of links and marks, `#rgb` or `#rrggbb`; it is darkened or lightened until it can be read. */
  readonly accent?: string;
  /** `https://help.example.com`; default: what the request asked for, which a proxy may have changed. */
  readonly origin?: string;
  /** The languages to offer; default: those in which something is published. */
  readonly languages?: readonly string[];
  /** Who opens a page with `?preview=TOKEN` sees drafts. Default: nobody does. */
  readonly previewToken?: string;
  /** Told of what failed, because the page does not say it. */
  readonly onFailure?: (error: unknown, request: string) => void;
}
