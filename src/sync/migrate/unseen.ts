import { familyOf, keyIn, kindOf, langOf, idKey } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import type { BaseState } from '../../model/record.ts';
import type { Names } from './name-records.ts';
import type { Source } from './read-source.ts';
import { pageOf } from './relink.ts';
import type { HelpCentre } from './relink.ts';

/** Names of what the source did not show: families, or keys if only a translation is missing. */
export type UnseenNames = ReadonlySet<Family | Key>;

export function unseenNames({ unseen }: Source, names: Names): UnseenNames {
  return new Set(
    unseen.flatMap(({ kind, id, lang }) => {
      const family = names.get(idKey(kind, id));
      if (family === undefined) return [];
      return [lang === undefined ? family : keyIn(family, lang)];
    }),
  );
}

export function isUnseen(key: Key, unseen: UnseenNames): boolean {
  return unseen.has(key) || unseen.has(familyOf(key));
}

interface EarlierRuns {
  readonly base: BaseState;
  /** The languages of this run. */
  readonly languages: readonly string[] | undefined;
  readonly from: HelpCentre;
  readonly to: HelpCentre;
}

/**
 * Pages that this run has not read, because an answer failed or their language is not part of the run: their addresses on
 * both sides, as the last run left them. So links to them do not lead back to the source.
 */
export function unreadPages(
  unseen: UnseenNames,
  { base, languages, from, to }: EarlierRuns,
): readonly { readonly from: string; readonly to: string }[] {
  return [...base.records.values()].flatMap(({ key, sent }) => {
    const slug = sent['slug'];
    const isLeft = isUnseen(key, unseen) || languages?.includes(langOf(key)) === false;
    if (typeof slug !== 'string' || !isLeft) return [];
    const page = (helpCentre: HelpCentre): string => pageOf(helpCentre, kindOf(key), langOf(key), slug);
    return [{ from: page(from), to: page(to) }];
  });
}
