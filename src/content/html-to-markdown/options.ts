export interface HtmlToMarkdownOptions {
  /** Of the text: the words that rendering adds (a footnote's way back, the title of a note) are in its language. */
  readonly lang: string;
  /** As in `kbsync.yaml`: what the files are rendered with. */
  readonly html: 'sanitize' | 'trust';
  /** The named cleaning of editors' leftovers (`CLEANING`); without it more stays raw HTML. */
  readonly clean: boolean;
  /** The address to render instead of one of the page: counted as cleaning, because the page then has another. */
  readonly address?: ((url: string) => string) | undefined;
  /** Headings lose the ids of the page: the layout cannot write one, and makes its own from the words. */
  readonly makesHeadingIds?: boolean | undefined;
  /** What the file says instead of an address of the page, such as the path of the file that it leads to. */
  readonly link?: ((url: string) => string) | undefined;
}
