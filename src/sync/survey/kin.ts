import type { Fields } from '../../model/fields.ts';
import { nameFieldOf } from '../../model/fields.ts';
import { lettersOf } from '../../model/html/letters.ts';
import type { Kind } from '../../model/key.ts';
import type { KnownRecord } from '../../model/record.ts';
import { groupedBy } from '../../text/grouped.ts';
import { prefixIndex } from '../../text/prefix-index.ts';
import { madeOf, slugText } from '../made-slug.ts';

interface Named {
  readonly kind: Kind;
  readonly fields: Fields;
}

/**
 * Finds the records whose name or slug a service or an editor may have made of those of a file: a service cuts titles and slugs
 * and takes tags out of titles, or makes a slug with a number in it; an editor adds a word.
 */
export function kinIndex<T extends Pick<KnownRecord, 'kind' | 'fields'>>(
  records: readonly T[],
): (file: Named) => readonly T[] {
  const byLetters = prefixIndex(records, ({ kind, fields }) => lettersOf(fields[nameFieldOf(kind)]));
  const bySlug = prefixIndex(records, ({ fields: { slug } }) => joinedSlug(slug));
  const byPart = groupedBy(records, ({ fields: { slug } }) =>
    typeof slug === 'string' ? madeOf(slug).map(({ text }) => text) : [],
  );
  return ({ kind, fields }) => {
    const name = fields[nameFieldOf(kind)];
    const sources = [fields['slug'], name].filter((text) => slugText(text) !== '');
    const near = [
      ...byLetters(lettersOf(name)),
      ...sources.flatMap((text) => [...bySlug(joinedSlug(text)), ...(byPart.get(slugText(text)) ?? [])]),
    ];
    return [...new Set(near)].filter((record) => record.kind === kind);
  };
}

function joinedSlug(text: unknown): string {
  return slugText(text).replaceAll(' ', '');
}
