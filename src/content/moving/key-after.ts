import { familyOf, keyIn, langOf } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';

/** The key under the record's new name. */
export function keyAfter(key: Key, families: ReadonlyMap<Family, Family>): Key {
  const family = families.get(familyOf(key));
  return family === undefined ? key : keyIn(family, langOf(key));
}
