import type { Node } from '../../estree.ts';
import { valueOf } from '../evaluate.ts';
import type { World } from '../scope.ts';
import { UNKNOWN } from '../values.ts';
import { declarations, entryOf, importOf, nodeNamed } from './declarations.ts';
import { fileScope } from './file-scope.ts';
import type { Imported, Module, Repository } from './module.ts';

export interface Surroundings extends Pick<Repository, 'pathsOf'> {
  readonly world: World;
  readonly imported: Imported;
}

/** A file of JavaScript or TypeScript, or the statements of a file of MDX. */
export function scriptModule(body: readonly Node[], file: string, around: Surroundings): Module {
  const { imported, pathsOf } = around;
  const { names, exports, stars } = declarations(body);
  const scope = fileScope(file, { names, body }, around);
  return {
    local: (name) => scope.imported?.(name) ?? UNKNOWN,
    entry(exported, key) {
      const its = exports.get(exported);
      const node = its === undefined ? undefined : 'node' in its ? its.node : nodeNamed(names, its);
      const entry = node === undefined ? undefined : entryOf(node, key);
      const from = entry === undefined ? undefined : importOf(names, entry);
      if (from !== undefined && MARKDOWN.test(from)) return { part: pathsOf(file, from)[0] ?? from };
      return entry === undefined ? undefined : { value: valueOf(entry, scope) };
    },
    value(name) {
      const its = exports.get(name);
      if (its === undefined) {
        const [star] = stars;
        return star === undefined || stars.length > 1 ? UNKNOWN : imported(file, star, name);
      }
      if ('from' in its) return imported(file, its.from, its.name);
      if ('node' in its) return valueOf(its.node, scope);
      return scope.imported?.(its.local) ?? UNKNOWN;
    },
  };
}

const MARKDOWN = /\.mdx?$/i;
