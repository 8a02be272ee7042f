import type { HighlighterCore } from 'shiki/core';
import { escaped } from './html.ts';

/** Code as HTML with a class per kind of token, never a style: the page's policy allows no styles in attributes. */
export interface Highlighter {
  /** Undefined: the language is not known, the code is too long, or its grammar failed; it is then shown plain. */
  readonly highlight: (code: string, language: string) => Promise<string | undefined>;
}

const CODE_CHARS_MAX = 40_000;
const LINE_CHARS_MAX = 2000;
/** For one line; what a grammar has not read by then is shown plain. The first line also pays for the grammar itself. */
const TIME_MS_MAX = 3000;
/** Names that writers use and shiki does not. */
const ALIASES: Readonly<Record<string, string>> = {
  'shell-session': 'shellsession',
  golang: 'go',
  conf: 'ini',
};

/** Loads shiki and each grammar when it is first needed. */
export function createHighlighter(): Highlighter {
  let core: Promise<HighlighterCore> | undefined;
  const loaded = new Map<string, Promise<boolean>>();
  const load = async (highlighter: HighlighterCore, language: string): Promise<boolean> => {
    const { bundledLanguages } = await import('shiki/langs');
    const grammar = Object.entries(bundledLanguages).find(([name]) => name === language)?.[1];
    if (grammar === undefined) return false;
    await highlighter.loadLanguage(grammar);
    return true;
  };
  return {
    async highlight(code, name) {
      const lower = name.toLowerCase();
      const language = ALIASES[lower] ?? lower;
      if (code.length > CODE_CHARS_MAX || !/^[\w+#.-]{1,40}$/.test(language)) return undefined;
      try {
        const highlighter = await (core ??= createCore());
        const known = loaded.get(language) ?? load(highlighter, language);
        loaded.set(language, known);
        if (!(await known)) return undefined;
        const { tokens } = highlighter.codeToTokens(code, {
          lang: language,
          theme: THEME,
          tokenizeMaxLineLength: LINE_CHARS_MAX,
          tokenizeTimeLimit: TIME_MS_MAX,
        });
        return tokens
          .map((line) => line.map(({ content, color }) => span(content, color)).join(''))
          .join('\n');
      } catch {
        // A grammar that this regular expression engine cannot read: plain code is still right.
        return undefined;
      }
    },
  };
}

const THEME = 'site';
const PREFIX = '--code-';

async function createCore(): Promise<HighlighterCore> {
  const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }] =
    await Promise.all([import('shiki/core'), import('shiki/engine/javascript')]);
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: PREFIX, fontStyle: false })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

/** The theme names a token's kind as `var(--code-token-keyword)`; the class is `keyword`, prefixed. */
function span(text: string, colour: string | undefined): string {
  const kind = /^var\(--code-token-([a-z-]+)\)$/.exec(colour ?? '')?.[1];
  return kind === undefined ? escaped(text) : `<span class="tk-${kind}">${escaped(text)}</span>`;
}
