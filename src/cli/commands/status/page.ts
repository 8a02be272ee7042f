import { resolve } from 'node:path';
import { shown, type Settings } from '../../../config/settings.ts';
import { nameFieldOf } from '../../../model/fields.ts';
import { familyOf, keyIn, langOf, type Family, type Key } from '../../../model/key.ts';
import type { DesiredState } from '../../../model/record.ts';
import {
  translationsPage,
  type Standing,
  type TranslationCell,
} from '../../../plan-page/translations-page.ts';
import type { World } from '../../world.ts';
import { knownBy, type StaleTranslation } from './stale.ts';
import type { TranslationRow } from './translations.ts';

interface StatusPage {
  readonly rows: readonly TranslationRow[];
  /** With their diffs. */
  readonly stale: readonly StaleTranslation[];
  readonly desired: DesiredState;
  /** Whether a record is asked for. */
  readonly isChosen: (key: Key) => boolean;
  readonly settings: Settings;
  readonly world: World;
}

/** Writes how translations stand to their originals as one page that works without a network. */
export async function saveStatusPage(file: string, page: StatusPage): Promise<void> {
  const { rows, desired, isChosen, settings, world } = page;
  const { defaultLanguage, records } = desired;
  const languages = [defaultLanguage, ...rows.map(({ lang }) => lang)];
  const standings = standingsOf(page);
  const families = [
    ...new Set([...standings.keys(), ...records.keys()].filter(isChosen).map(familyOf)),
  ].sort();
  const details = new Map(page.stale.map((one) => [one.key, one]));
  const text = translationsPage({
    name: shown(settings.contentDir, world),
    languages,
    rows: families
      .filter((family) => languages.some((lang) => records.has(keyIn(family, lang))))
      .map((family) => ({
        family,
        title: titleOf(family, languages, desired),
        cells: languages.map((lang): TranslationCell => {
          const key = keyIn(family, lang);
          const one = details.get(key);
          const standing = standings.get(key) ?? own(key, desired);
          return one === undefined
            ? { key, standing }
            : { key, standing, knownBy: knownBy(one), diff: one.diff };
        }),
      })),
    facts: [
      `${new Date(world.clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `kbsync ${world.version}`,
      'the service was not asked',
    ],
  });
  await world.files.writeText(resolve(world.cwd, file), text);
}

function own(key: Key, { records, defaultLanguage }: DesiredState): Standing {
  return langOf(key) === defaultLanguage && records.has(key) ? 'original' : 'none';
}

function standingsOf({ rows }: StatusPage): ReadonlyMap<Key, Standing> {
  const named = rows.flatMap(({ upToDate, stale, missing, orphan }) => [
    ...upToDate.map((key) => [key, 'up to date'] as const),
    ...stale.map((key) => [key, 'stale'] as const),
    ...missing.map((key) => [key, 'missing'] as const),
    ...orphan.map((key) => [key, 'orphan'] as const),
  ]);
  return new Map<Key, Standing>(named);
}

/** In the first language that has one. */
function titleOf(family: Family, languages: readonly string[], { records }: DesiredState): string {
  const record = languages
    .map((lang) => records.get(keyIn(family, lang)))
    .find((found) => found !== undefined);
  const name = record === undefined ? undefined : record.fields[nameFieldOf(record.kind)];
  return typeof name === 'string' ? name : family;
}
