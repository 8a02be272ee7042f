import type { ContentOptions } from '../options.ts';
import { docusaurusPreset } from './docusaurus.ts';
import { hugoPreset } from './hugo.ts';
import { jekyllPreset } from './jekyll.ts';
import { kbsyncPreset } from './kbsync.ts';
import { mkdocsPreset } from './mkdocs.ts';
import type { PresetInput } from './page-preset.ts';
import { plainPreset } from './plain.ts';
import type { Preset } from './preset.ts';
import { starlightPreset } from './starlight.ts';
import { vitepressPreset } from './vitepress.ts';

/** The layout that the config names, over the files that are there. */
export function presetFor(
  options: Pick<ContentOptions, 'preset' | 'defaultLanguage' | 'languages'>,
  tree: Pick<PresetInput, 'paths' | 'readText'>,
): Preset {
  const { defaultLanguage, languages } = options;
  const input = { ...tree, defaultLanguage, languages };
  switch (options.preset) {
    case 'kbsync':
      return kbsyncPreset(languages);
    case 'hugo':
      return hugoPreset(input);
    case 'docusaurus':
      return docusaurusPreset(input);
    case 'astro':
      return starlightPreset(input);
    case 'mkdocs':
      return mkdocsPreset(input);
    case 'vitepress':
      return vitepressPreset(input);
    case 'jekyll':
      return jekyllPreset(input);
    case 'plain':
      return plainPreset(input);
  }
}
