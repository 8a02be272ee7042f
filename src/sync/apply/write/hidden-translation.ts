import { familyOf, isOriginal, keyIn } from '../../../model/key.ts';
import type { Lang } from '../../../model/key.ts';
import { same } from '../../../model/digest.ts';
import { hasLanguage, sameLanguage } from '../../../model/language.ts';
import type { KnownRecord } from '../../../model/record.ts';
import type { Change } from '../../../plan/plan.ts';
import { RemoteError } from '../../../remote/error.ts';
import { readMany, stopsEverything } from '../../../remote/read-many.ts';
import type { Run } from '../../run.ts';

/**
 * Why an original must stay, or whether reads were needed to find out that it may go: a delete takes its translations along, and one that an editor drafts may be in no list.
 * Each language of the service that neither we nor the list know for this record is read once.
 */
export async function hiddenTranslation(
  change: Change,
  original: KnownRecord,
  run: Run,
): Promise<string | { readonly hasRead: boolean }> {
  const { 'full-lists': fullLists, 'read-lang': readLang } = run.remote.capabilities();
  if (!isOriginal(change.key, run.desired) || fullLists === 'yes' || readLang === 'no')
    return { hasRead: false };
  const family = familyOf(change.key);
  const listed = run.input.views.get(family)?.languages ?? [];
  const isFirst = run.serviceLanguages === undefined;
  const languages = await languagesOf(run);
  if (typeof languages === 'string') return languages;
  const langs = languages.filter(
    (lang) =>
      !sameLanguage(lang, run.desired.defaultLanguage) &&
      !hasLanguage(listed, lang) &&
      !run.input.base.records.has(keyIn(family, lang)),
  );
  const reads = await readMany(
    run.remote,
    langs.map((lang) => ({ name: lang, kind: change.kind, id: original.ownId, lang })),
    1,
  );
  const found = langs.find((lang) => {
    const read = reads.get(lang);
    return read?.state === 'found' && !isCopy(read.record, original);
  });
  if (found !== undefined)
    return `kept: it has a translation in ${found} that no list names; delete it on the site, or add its file`;
  const [unclear] = langs.flatMap((lang) => {
    const read = reads.get(lang);
    return read?.state === 'failed' ? [`${lang} could not be read: ${read.why}`] : [];
  });
  if (unclear !== undefined) return `kept: whether it has a translation in ${unclear}`;
  return { hasRead: isFirst || langs.length > 0 };
}

/** What a service shows where there is no translation yet: the original again, under an address of its own perhaps. */
function isCopy({ fields }: KnownRecord, original: KnownRecord): boolean {
  return Object.entries(fields).every(([name, value]) => {
    const before = original.fields[name];
    return name === 'slug' || name === 'status' || (before !== undefined && same(value, before));
  });
}

/** As the lists of articles and tags name them, read once a run; or why an original must stay. */
async function languagesOf(run: Run): Promise<readonly Lang[] | string> {
  if (run.serviceLanguages !== undefined) return run.serviceLanguages;
  try {
    const [articles, tags] = [await run.remote.list('article'), await run.remote.list('tag')];
    run.serviceLanguages = [...new Set([...(articles.languages ?? []), ...(tags.languages ?? [])])].sort();
    return run.serviceLanguages;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
    return `kept: the list that names the languages could not be read: ${error.message}`;
  }
}
