import type { Fields, KnownFields } from '../../model/fields.ts';
import { HEADERS } from '../../contract/headers.ts';
import type { Kind, Lang } from '../../model/key.ts';
import { knownFront, withoutFront } from '../../model/slug-front.ts';
import type { BaseUrl } from '../address.ts';
import type { CapabilityLedger } from '../capabilities.ts';
import type { Absence } from '../reading/absence.ts';
import type { Freshness } from '../reading/freshness.ts';
import type { Answer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Remote, WriteOptions, Written } from '../remote.ts';
import { createBody, editBody } from '../wire/encode.ts';
import { createdId, listPath, recordPath } from '../wire/paths.ts';
import { createDefaultLang } from './default-lang.ts';
import { createDoor } from './door.ts';
import { createListSteps } from './list-steps.ts';
import type { Matches } from './matches.ts';
import { createOwnTongue } from './own-tongue.ts';
import { createRequiredCondition } from './required-condition.ts';

export interface WritesOptions {
  readonly send: (call: Omit<Call, 'bytesMax'>) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
  readonly ledger: CapabilityLedger;
  readonly matches: Matches;
  readonly absence: Absence;
  readonly freshness: Freshness;
  readonly address: BaseUrl;
  readonly defaultLanguage: Lang;
}

/**
 * `Remote.create`, `Remote.edit` and `Remote.remove`: each sends its request once, and notes what the answer says of the service, and of
 * its lists.
 */
export function createWrites(
  options: WritesOptions,
): Pick<Remote, 'create' | 'edit' | 'remove' | 'followLists' | 'listTags'> {
  const { send, ledger, matches, absence, freshness, defaultLanguage } = options;
  const door = createDoor();
  const langs = createDefaultLang(ledger, defaultLanguage);
  const ownTongue = createOwnTongue(options.get, defaultLanguage);
  const required = createRequiredCondition(options.get, defaultLanguage);
  const sent = (call: Omit<Call, 'bytesMax'>): Promise<Answer> => door.watched(() => send(call));
  const steps = createListSteps();
  const writeHeaders = (asked: WriteOptions) => ({ ...conditionHeaders(asked), ...steps.headers() });
  const asSent = (kind: Kind, lang: Lang, fields: KnownFields): KnownFields => {
    const { slug } = fields;
    if (typeof slug !== 'string') return fields;
    return { ...fields, slug: withoutFront(slug, knownFront(ledger.now(), kind, lang)) };
  };
  const noted = ({ headers }: Answer): Written => {
    ledger.read(headers);
    steps.read(headers);
    return written(headers);
  };
  return {
    async create(kind, asked, writeOptions) {
      const path = listPath(kind);
      const fields = asSent(kind, defaultLanguage, asked);
      const answer = await sent({
        method: 'PUT',
        path,
        effect: 'create',
        body: createBody(kind, fields, `PUT ${path}`),
        headers: writeHeaders(writeOptions),
        slug: slugIn(fields),
      });
      const result = noted(answer);
      const id = createdId(kind, answer.headers['location'], answer.value, `${options.address.href}${path}`);
      return { ...result, ...(id === undefined ? {} : { id }) };
    },
    async edit(kind, id, lang, asked, writeOptions) {
      const path = recordPath(kind, id);
      const fields = asSent(kind, lang, asked);
      const { ifMatch, ifNoneMatch } = writeOptions;
      if (kind === 'article') freshness.wrote(id);
      const edit = (conditions: WriteOptions, said: string | undefined): Promise<Answer> =>
        send({
          method: 'POST',
          path,
          effect: 'change',
          body: editBody(kind, { id, lang: said }, fields, `POST ${path}`),
          headers: writeHeaders(conditions),
          staleAtMs: conditions.staleAtMs,
          slug: slugIn(fields),
        });
      const answer = await matches.watched(path, ifMatch, () =>
        ownTongue({ kind, id, lang, ifMatch, ifNoneMatch }, () =>
          door.watched(() =>
            required({ path, lang, options: writeOptions }, (conditions) =>
              langs.edited(lang, (said) => edit(conditions, said)),
            ),
          ),
        ),
      );
      return noted(answer);
    },
    async remove(kind, id, writeOptions) {
      const path = recordPath(kind, id);
      absence.removed(kind, id);
      const { ifMatch, staleAtMs } = writeOptions;
      const headers = writeHeaders(writeOptions);
      const answer = await matches.watched(path, ifMatch, () =>
        sent({ method: 'DELETE', path, effect: 'change', headers, staleAtMs }),
      );
      return noted(answer);
    },
    followLists: steps.follow,
    listTags: steps.tags,
  };
}

function slugIn({ slug }: Fields): string | undefined {
  return typeof slug === 'string' ? slug : undefined;
}

function conditionHeaders({
  ifMatch,
  ifNoneMatch,
  idempotencyKey,
}: WriteOptions): Readonly<Record<string, string>> {
  return {
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    ...(idempotencyKey === undefined ? {} : { [HEADERS.idempotencyKey]: idempotencyKey }),
  };
}

function written(headers: Readonly<Record<string, string>>): Written {
  const lastEdited = headers[HEADERS.lastEdited.toLowerCase()];
  const previousEdited = headers[HEADERS.previousEdited.toLowerCase()];
  const { etag } = headers;
  return {
    ...(previousEdited === undefined ? {} : { previousEdited }),
    ...(lastEdited === undefined ? {} : { lastEdited }),
    ...(etag === undefined ? {} : { etag }),
  };
}
