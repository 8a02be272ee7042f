import { posix } from 'node:path';
import { once } from '../../../model/once.ts';
import { exportedLiterals } from './literals.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { valueAt } from '../pages/side-file.ts';

const SETTINGS = ['tsconfig.json', 'jsconfig.json'];
const LEVELS = ['', '../', '../../', '../../../', '../../../../'];

/**
 * Names for folders that bundlers know: `paths` of tsconfig.json, `@site` of Docusaurus (its own folder). The answer is a
 * path from the content folder, which may lead out of it.
 */
export function aliasesIn({ readText }: Pick<PresetInput, 'readText'>): (path: string) => string | undefined {
  const aliases = once(() => {
    for (const level of LEVELS) {
      for (const name of SETTINGS) {
        const text = readText(`${level}${name}`);
        if (text === undefined) continue;
        // JSON with comments, which JavaScript reads.
        const options = valueAt(exportedLiterals(`export default ${text}`), 'compilerOptions');
        const base = valueAt(options, 'baseUrl');
        const root = posix.join(level, typeof base === 'string' ? base : '.');
        return Object.entries(valueAt(options, 'paths') ?? {}).flatMap(([alias, targets]) => {
          const target: unknown = Array.isArray(targets) ? targets[0] : undefined;
          return typeof target === 'string' && alias.endsWith('*') && target.endsWith('*')
            ? [{ alias: alias.slice(0, -1), folder: posix.join(root, target.slice(0, -1)) }]
            : [];
        });
      }
    }
    return [];
  });
  return (path) => {
    if (!/^[@~#]/.test(path)) return undefined;
    const found = aliases().find(({ alias }) => path.startsWith(alias));
    if (found !== undefined) return posix.join(found.folder, path.slice(found.alias.length));
    return path.startsWith('@site/') ? path.slice('@site/'.length) : undefined;
  };
}
