import { once } from '../../../../model/once.ts';
import type { Node } from '../../estree.ts';
import { valueOf } from '../evaluate.ts';
import { scopeIn } from '../scope.ts';
import type { Scope, World } from '../scope.ts';
import { bind, declare } from '../statements.ts';
import { UNKNOWN } from '../values.ts';
import type { Value } from '../values.ts';
import { changedNames } from './declarations.ts';
import type { Declared } from './declarations.ts';
import type { Imported } from './module.ts';

/** The names of a file, looked up when they are asked for: it may hold much that no page needs. */
export function fileScope(
  file: string,
  { names, body = [] }: { readonly names: readonly Declared[]; readonly body?: readonly Node[] },
  { world, imported }: { readonly world: World; readonly imported: Imported },
): Scope {
  const known = new Map<string, Value>();
  const changed = once(() => changedNames(body, scope));
  const byName = new Map(names.map((each) => [each.local, each]));
  const look = (name: string): Value => {
    const its = byName.get(name);
    if (its === undefined || changed().has(name)) return UNKNOWN;
    if ('from' in its) return imported(file, its.from, its.name);
    const inner = scopeIn(scope);
    if ('pattern' in its) bind(its.pattern, valueOf(its.init, scope), inner, valueOf);
    else declare(its.node, inner, valueOf);
    return inner.names.get(name);
  };
  const scope: Scope = {
    names: new Map(),
    states: new Map(),
    above: undefined,
    world,
    imported: (name) => {
      if (!known.has(name)) {
        known.set(name, UNKNOWN);
        known.set(name, look(name));
      }
      return known.get(name);
    },
  };
  return scope;
}
