// From beside this file, also where it is part of the bundled command (dist/cli).

/** Reads the text of long articles. */
export const ARTICLE_TEXT_THREAD = new URL('../service/threads/article-text.js', import.meta.url);
/** Cleans large drawings. */
export const DRAWING_THREAD = new URL('../service/threads/drawing.js', import.meta.url);
