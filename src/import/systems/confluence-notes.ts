import type { StorageNode } from './confluence-tree.ts';

export interface StorageOptions {
  /** The address of a file that is attached to the page; undefined: not known. */
  readonly attachment: (name: string) => string | undefined;
  /** The address of a page by its title; undefined: not known. */
  readonly page: (title: string, space: string | undefined) => string | undefined;
  /** Of the text: the titles of boxes are in its language. */
  readonly lang: string;
}

/** What conversion of one page notes. */
export interface Notes {
  readonly options: StorageOptions;
  readonly said: Set<string>;
  summary: string | undefined;
  /** Converts what is in an element. */
  readonly inner: (node: StorageNode) => string;
}
