/** Reads the text of long articles. From beside this file, also where it is part of the bundled command (dist/cli). */
export const ARTICLE_TEXT_THREAD = new URL('../service/threads/article-text.js', import.meta.url);
