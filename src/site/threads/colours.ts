import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages } from 'shiki/langs';
import { answerTasks } from '../../service/answer-tasks.ts';
import { escaped } from '../html.ts';
import type { ColourTask } from '../text/highlight.ts';

/** Longer lines are shown plain: what a grammar's expressions cost goes up with the square of a line, or faster. */
const LINE_CHARS_MAX = 400;
const THEME = 'site';
const PREFIX = '--code-';

function newCore(): Promise<HighlighterCore> {
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: PREFIX, fontStyle: false })],
    langs: [],
    // Written for these grammars: a third of the time that JavaScript's expressions take.
    engine: createOnigurumaEngine(import('shiki/wasm')),
  });
}

const shared = newCore();
/** The one that has the language's grammar. */
const cores = new Map<string, HighlighterCore>();

/**
 * Some grammars colour other languages inside them if these happen to be loaded (Markdown), or change what others colour (Vue). Each
 * of those is alone, so the colours of a text do not depend on what was coloured before it.
 */
async function load(language: string): Promise<void> {
  const grammar = Object.entries(bundledLanguages).find(([name]) => name === language)?.[1];
  if (grammar === undefined) throw new Error(`no grammar for ${language}`);
  const { default: parts } = await grammar();
  const isApart = parts.some(
    ({ embeddedLangsLazy = [], injectTo = [] }) => embeddedLangsLazy.length + injectTo.length > 0,
  );
  const core = await (isApart ? newCore() : shared);
  await core.loadLanguage(...parts);
  cores.set(language, core);
}

answerTasks(async (given) => {
  // Of the type that `createThread` was given beside this module's address.
  const task = given as ColourTask;
  if (task.type === 'load') {
    await load(task.language);
    return '';
  }
  const core = cores.get(task.language);
  if (core === undefined) return undefined;
  const { tokens } = core.codeToTokens(task.code, {
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
