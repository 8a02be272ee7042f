import type { LocalProblem } from '../source-text.ts';
import { titledQuotes } from './alerts.ts';
import { codeRanges, inRanges } from './code-ranges.ts';
import type { Range } from './code-ranges.ts';
import { translateInclude } from './components.ts';
import { spotsIn } from './edits.ts';
import { translateContainers } from './containers.ts';
import { translateComponents, translateExpressions } from './mdx.ts';
import { languageFinder } from './page-languages.ts';
import { OWN_FIELDS, pagePreset } from './page-preset.ts';
import type { PresetInput } from './page-preset.ts';
import type { DialectContext, Edit, Preset, Translation } from './preset.ts';

/** VitePress: a folder per locale beside the root locale, `::: tip`, Vue components and expressions, includes. */
export function vitepressPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: false });
  return pagePreset(
    {
      name: 'vitepress',
      tree: {
        documents: /\.md$/i,
        inLanguage: (path) =>
          /^(?:readme|changelog|contributing|license)\.md$/i.test(path) ? undefined : find(path),
        index: /^index$/,
      },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: ['public'] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'index' : path}.md`,
      dialect: {
        version: 'vitepress 1',
        form: 'strict',
        fields: {
          ...OWN_FIELDS,
          title: ['title'],
          name: ['title'],
          excerpt: ['description'],
          description: ['description'],
          ordering: ['order'],
          priority: ['order'],
          status: ['draft'],
          hideFromSearch: ['!search', 'hideFromSearch'],
          tags: ['tags'],
        },
        addressKeys: [],
        hasCaselessKeys: false,
        hasHeadingTitles: true,
        translate: translateVitepress,
      },
    },
    input,
  );
}

function translateVitepress(body: string, context: DialectContext): Translation {
  const code = codeRanges(body);
  const inCode = inRanges(code);
  const parts = [
    { edits: titledQuotes(body), problems: [] },
    translateContainers(body, code, context),
    translateComponents(body, code, context),
    translateExpressions(body, /\{\{([^{}]*)\}\}/g, { skip: inCode, rules: context.rules }),
    includes(body, code, context),
  ];
  return { edits: parts.flatMap(({ edits }) => edits), problems: parts.flatMap(({ problems }) => problems) };
}

/** `<!--@include: ./part.md-->`, `<<< @/code.js` and `[[toc]]`. */
function includes(body: string, code: readonly Range[], { rules }: DialectContext): Translation {
  const inCode = inRanges(code);
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  const spotAt = spotsIn(body);
  for (const { 0: whole, 1: include, 2: snippet, index } of body.matchAll(
    /<!--\s*@include:\s*(\S{1,500}?)\s*-->|^<<<[ \t]*(\S+).*$|^\[\[toc\]\][ \t]*$/gim,
  )) {
    if (inCode(index)) continue;
    const name = include === undefined ? '<<<' : '@include';
    const isProblem = (include ?? snippet) !== undefined;
    const translated = translateInclude({ name, whole, index, isProblem }, { rules, spotAt });
    edits.push(...translated.edits);
    problems.push(...translated.problems);
  }
  return { edits, problems };
}
