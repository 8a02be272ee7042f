import { posix } from 'node:path';
import { once } from '../../../model/once.ts';
import { exportedLiterals } from './literals.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { valueAt } from '../pages/side-file.ts';

const SETTINGS = ['tsconfig.json', 'jsconfig.json'];
const LEVELS = ['', '../', '../../', '../../../', '../../../../'];

/** A name for a folder at the beginning of a path. */
export interface PathAlias {
  readonly prefix: string;
  /** From the content folder; it may lead out of it. */
  readonly folder: string;
}

/** `"@/*": ["./src/*"]`: `paths` of tsconfig.json, beside the content or above it, in order. */
export function pathAliases(readText: PresetInput['readText']): readonly PathAlias[] {
  for (const level of LEVELS) {
    for (const name of SETTINGS) {
      const text = readText(`${level}${name}`);
      // JSON with comments, which JavaScript reads.
      const settings = text === undefined ? undefined : exportedLiterals(`export default ${text}`);
      const options = valueAt(settings, 'compilerOptions');
      const paths = valueAt(options, 'paths');
      if (typeof paths !== 'object' || paths === null) continue;
      const base = valueAt(options, 'baseUrl');
      const root = posix.join(level, typeof base === 'string' ? base : '.');
      return Object.entries(paths).flatMap(([pattern, targets]) =>
        (Array.isArray(targets) ? targets : []).flatMap((target: unknown) =>
          typeof target === 'string' && /.\*$/.test(pattern) && target.endsWith('*')
            ? [{ prefix: pattern.slice(0, -1), folder: posix.join(root, target.slice(0, -1)) }]
            : [],
        ),
      );
    }
  }
  return [];
}

/**
 * Names for folders that bundlers know: `paths` of tsconfig.json, `@site` of Docusaurus (its own folder). The answer is a
 * path from the content folder, which may lead out of it.
 */
export function aliasesIn({ readText }: Pick<PresetInput, 'readText'>): (path: string) => string | undefined {
  const aliases = once(() => pathAliases(readText));
  return (path) => {
    if (!/^[@~#]/.test(path)) return undefined;
    const found = aliases().find(({ prefix }) => path.startsWith(prefix));
    if (found !== undefined) return posix.join(found.folder, path.slice(found.prefix.length));
    return path.startsWith('@site/') ? path.slice('@site/'.length) : undefined;
  };
}
