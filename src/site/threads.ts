// From beside this file, also where it is part of the bundled command (dist/cli).

/** Makes bodies of pages, and Markdown, of long texts. */
export const TEXT_THREAD = new URL('../site/threads/text.js', import.meta.url);
/** Colours code. */
export const COLOUR_THREAD = new URL('../site/threads/colours.js', import.meta.url);
