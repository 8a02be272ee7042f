import type { ContentOptions } from '../options.ts';
import { hugoPreset } from './hugo.ts';
import { kbsyncPreset } from './kbsync.ts';
import type { PresetInput } from './page-preset.ts';
import { plainPreset } from './plain.ts';
import type { Preset } from './preset.ts';

/** The layout that the config names, over the files that are there. */
export function presetFor(options: ContentOptions, tree: Pick<PresetInput, 'paths' | 'readText'>): Preset {
  const { defaultLanguage, languages } = options;
  const input = { ...tree, defaultLanguage, languages };
  switch (options.preset) {
    case 'kbsync':
      return kbsyncPreset(languages);
    case 'hugo':
      return hugoPreset(input);
    case 'plain':
      return plainPreset(input);
  }
}
