import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages } from 'shiki/langs';
import { answerTasks } from '../../service/answer-tasks.ts';
import { escaped } from '../html.ts';
import type { ColourTask } from '../text/highlight.ts';

/** Longer lines are shown plain: what a grammar's expressions cost goes up with the square of a line, or faster. */
const LINE_CHARS_MAX = 400;
const THEME = 'site';
const PREFIX = '--code-';

const core = createHighlighterCore({
  themes: [createCssVariablesTheme({ name: THEME, variablePrefix: PREFIX, fontStyle: false })],
  langs: [],
  // Written for these grammars: a third of the time that JavaScript's expressions take.
  engine: createOnigurumaEngine(import('shiki/wasm')),
});

const loaded = new Set<string>();

answerTasks(async (given) => {
  // Of the type that `createThread` was given beside this module's address.
  const task = given as ColourTask;
  const highlighter = await core;
  if (task.type === 'load') {
    const grammar = Object.entries(bundledLanguages).find(([name]) => name === task.language)?.[1];
    if (grammar === undefined) throw new Error(`no grammar for ${task.language}`);
    await highlighter.loadLanguage(grammar);
    loaded.add(task.language);
    return '';
  }
  if (!loaded.has(task.language)) return undefined;
  const { tokens } = highlighter.codeToTokens(task.code, {
    lang: task.language,
    theme: THEME,
    tokenizeMaxLineLength: LINE_CHARS_MAX,
    // The thread is ended instead: this limit is looked at between tokens only, and one expression may take for ever.
    tokenizeTimeLimit: 0,
  });
  return tokens.map((line) => line.map(({ content, color }) => span(content, color)).join('')).join('\n');
});

/** The theme names a token's kind as `var(--code-token-keyword)`; the class is `keyword`, prefixed. */
function span(text: string, colour: string | undefined): string {
  const kind = /^var\(--code-token-([a-z-]+)\)$/.exec(colour ?? '')?.[1];
  return kind === undefined ? escaped(text) : `<span class="tk-${kind}">${escaped(text)}</span>`;
}
