import { kindOf, langOf } from '../../../model/key.ts';
import type { Change } from '../../../plan/plan.ts';
import type { RemoteError } from '../../../remote/error.ts';
import type { Run } from '../../run.ts';

/** What a refused write says: the service's words, and if a slug may be the reason (409), who has that slug. */
export function refusedSlugWords(change: Change, { message, status }: RemoteError, run: Run): string {
  // An edit that keeps its slug takes it from nobody.
  const takesSlug = change.action === 'create' || change.fields.some(({ field }) => field === 'slug');
  if (status !== 409 || !takesSlug) return message;
  const said = message.replace(/\.$/, '');
  const holder = holderWords(change, run);
  if (holder !== undefined) return `${said}; ${holder}`;
  return `${said}; if its slug is taken: by ${unseenIn(change, run)}, or by a deleted one; look on the site, or give the file another slug`;
}

/** Whose slug a new file has is looked for before its create; whose slug an edit takes, nobody knows but the service. */
function unseenIn({ action, kind, lang }: Change, run: Run): string {
  const isSearched = action === 'create' && lang === run.desired.defaultLanguage;
  return isSearched
    ? 'a record that the list does not show (a draft)'
    : `another ${kind}, which no file makes`;
}

function holderWords({ key, kind, lang, slug, id }: Change, run: Run): string | undefined {
  const shown = `the slug ${JSON.stringify(slug)}`;
  const ours = [...run.records.values()].find(
    (record) =>
      record.key !== key &&
      kindOf(record.key) === kind &&
      langOf(record.key) === lang &&
      record.sent['slug'] === slug,
  );
  if (ours !== undefined) {
    const isThere = run.desired.records.has(ours.key) || run.desired.withheld?.has(ours.key) === true;
    return `${shown} is that of ${ours.key} on the site${isThere ? ', and this run did not change that one' : ', which has no file any more: a sync with --prune deletes it'}`;
  }
  const other = run.input.unmanaged.find(
    (record) => record.kind === kind && record.slug === slug && record.id !== id,
  );
  if (other === undefined) return undefined;
  const owner = other.by === undefined ? 'which no file makes' : `which the repository ${other.by} sends`;
  return `${shown} is that of the ${kind} ${other.id}, ${JSON.stringify(other.name)}, ${owner}: give it another slug on the site, or give this file another slug`;
}
