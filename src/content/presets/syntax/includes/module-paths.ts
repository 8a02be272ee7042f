import { posix } from 'node:path';
import { once } from '../../../../model/once.ts';
import type { PageSurroundings } from '../../preset.ts';
import { pathAliases } from '../../settings/aliases.ts';

/**
 * Where the file may lie that an import of a module names, from the content folder, best first: beside the module, from the root, or by a name that the
 * repository gives to a folder. Nothing: the address is a package's.
 */
export function modulePaths({
  readText,
}: Pick<PageSurroundings, 'readText'>): (from: string, address: string) => readonly string[] {
  const aliases = once(() => pathAliases(readText));
  return (from, address) => {
    if (/^\.{1,2}\//.test(address)) return [posix.join(posix.dirname(from), address)];
    if (address.startsWith('/')) return [posix.normalize(address.slice(1))];
    if (address.startsWith('@site/')) return [posix.normalize(address.slice('@site/'.length))];
    return aliases()
      .filter(({ prefix }) => address.startsWith(prefix))
      .map(({ prefix, folder }) => posix.join(folder, address.slice(prefix.length)));
  };
}
