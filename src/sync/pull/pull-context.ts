import { keyIn, kindOf } from '../../model/key.ts';
import type { Family } from '../../model/key.ts';
import { idKey } from '../remote-side.ts';
import { addressOf } from './page-links.ts';
import type { LinkTarget } from './page-links.ts';
import type { Places } from './place-records.ts';
import type { PullOptions } from './pull.ts';
import type { Fetched } from './read-records.ts';
import { unwritable } from './record-file.ts';
import type { FileContext } from './record-file.ts';

/** What has no file cannot be named by another one, nor linked to. */
export function willHaveFile(record: Fetched, { familyOf }: Places, { content }: PullOptions): boolean {
  const family = familyOf.get(idKey(record.kind, record.id));
  if (family === undefined) return false;
  return content.state.records.has(keyIn(family, record.lang)) || unwritable(record) === undefined;
}

export function fileContext(
  records: readonly Fetched[],
  present: readonly Fetched[],
  places: Places,
  { layout, content }: PullOptions,
): FileContext {
  const { defaultLanguage } = content.state;
  const isOriginal = ({ lang }: Fetched): boolean => lang === defaultLanguage;
  const idOf = ({ kind, id }: Fetched): string => idKey(kind, id);
  const originals = new Map(records.filter(isOriginal).map((record) => [idOf(record), record]));
  const known = [...content.state.records.values()].filter((record) => record.isOriginal);
  const coming = present.filter(isOriginal).flatMap((record) => places.familyOf.get(idOf(record)) ?? []);
  const families = new Set<Family>([...known.map(({ family }) => family), ...coming]);
  return {
    layout,
    familyOf: new Map([...places.familyOf].filter(([, family]) => families.has(family))),
    categories: new Set([...families].filter((family) => kindOf(family) === 'category')),
    originalOf: (record) => originals.get(idOf(record)),
  };
}

export function idsOf({ familyOf }: Places): ReadonlyMap<Family, string> {
  return new Map([...familyOf].map(([id, family]) => [family, id.slice(id.indexOf(' ') + 1)]));
}

/** Pages with their files: those that were read, and those that have a file already. */
export function targetsOf(
  records: readonly Fetched[],
  places: Places,
  options: PullOptions,
): ReadonlyMap<string, LinkTarget> {
  const { urls } = options.layout;
  const targets = new Map<string, LinkTarget>();
  for (const record of options.content.state.records.values()) {
    const address = addressOf(urls, record.kind, record.lang, String(record.fields['slug'] ?? ''));
    targets.set(address, { file: options.pathOf(record), anchors: undefined });
  }
  for (const { kind, id, lang, fields, anchors } of records) {
    const family = places.familyOf.get(idKey(kind, id));
    const file = family === undefined ? undefined : places.fileOf(family, lang);
    if (file !== undefined)
      targets.set(addressOf(urls, kind, lang, String(fields['slug'] ?? '')), { file, anchors });
  }
  return targets;
}
