import type { Kind, Lang, RemoteId } from '../../model/key.ts';
import type { Absence } from './absence.ts';
import type { Answer } from '../http/answer.ts';
import type { CapabilityLedger } from '../capabilities.ts';
import { decode, isNewVersion, knownRecord } from '../wire/decode.ts';
import type { Decoded } from '../wire/decode.ts';
import { RemoteError } from '../error.ts';
import { answersFor, sameLanguage, sameTongue } from '../../model/language.ts';
import { stopsEverything } from '../read-many.ts';
import { createMissingLanguage } from './missing-language.ts';
import { recordPath } from '../wire/paths.ts';
import { isTranslation } from './translation-rows.ts';
import type { TranslationRows } from './translation-rows.ts';
import type { ReadResult } from '../remote.ts';
import type { CleanText } from '../http/clean-text.ts';
import { recordIn, described, unreadable, type Reading } from '../wire/reply.ts';
import { idOf, isDeleted, objectOf } from '../wire/values.ts';
import type { JsonObject } from '../../text/json-value.ts';

export interface ReaderOptions {
  /** `isAgain`: an answer that is kept somewhere on the way is not wanted. */
  readonly get: (path: string, isAgain?: boolean) => Promise<Answer>;
  readonly absence: Absence;
  readonly ledger: CapabilityLedger;
  readonly clean: CleanText;
  readonly defaultLanguage: string;
  readonly rows: TranslationRows;
}

export type DatedRead =
  | (Extract<ReadResult, { state: 'found' }> & {
      /** When the article was edited last, as the reply says. */
      readonly lastEdited?: string;
    })
  | Exclude<ReadResult, { state: 'found' }>;

interface Asked {
  readonly kind: Kind;
  readonly id: string;
  /** Undefined for the original: it is asked for without `?lang=`. */
  readonly lang: string | undefined;
  readonly path: string;
  readonly isAgain: boolean;
}

/** `Remote.read`: one record in one language, or the proof that there is none. */
export function createReader(
  options: ReaderOptions,
): (kind: Kind, id: RemoteId, lang?: Lang, isAgain?: boolean) => Promise<DatedRead> {
  const refusing = new Map<Kind, Promise<boolean>>();
  const isMissingLanguage = createMissingLanguage({ get: (path) => options.get(path) });

  /** Whether the service takes no `?lang=` at all: it refuses the default language too, and shows the record without. */
  const refusesQuery = ({ kind, id }: Asked): Promise<boolean> => {
    const known = refusing.get(kind);
    if (known !== undefined) return known;
    const path = recordPath(kind, id);
    const isRefused = async (query: string): Promise<boolean> => {
      try {
        await options.get(`${path}${query}`);
        return false;
      } catch (error) {
        if (error instanceof RemoteError) return isRefusal(error);
        throw error;
      }
    };
    const found = isRefused('').then(
      async (isBroken) => !isBroken && isRefused(`?lang=${encodeURIComponent(options.defaultLanguage)}`),
    );
    refusing.set(kind, found);
    return found;
  };

  /**
   * A refusal that is said with 200 and is not the service's "no such record" need not be about this record at all: it is
   * asked for once more.
   */
  const answered = async ({ kind, id, path, isAgain }: Asked): Promise<Answer> => {
    try {
      return await options.get(path, isAgain);
    } catch (error) {
      const isPassing = error instanceof RemoteError && error.code === 'rejected' && error.status === 200;
      if (!isPassing || (await options.absence.judge(kind, id, error)).state === 'absent') throw error;
      return options.get(path);
    }
  };

  /**
   * A record is no translation of itself: what says so is the copy that a translation would begin with, unless it shows
   * something else than the original. Then the service knows all languages of a record by one id.
   */
  const isCopy = async (shown: JsonObject, { kind, id, lang }: Asked): Promise<boolean> => {
    const own = idOf(shown['id']);
    if (lang === undefined || own === undefined || idOf(shown['language_parent']) !== own) return false;
    const path = recordPath(kind, id);
    const original = recordIn((await options.get(path)).value, {
      request: `GET ${path}`,
      clean: options.clean,
    });
    return OWN_TEXTS.every((name) => shown[name] === original[name]);
  };

  return async (kind, id, lang, isAgain = false) => {
    const other = lang === undefined || sameLanguage(lang, options.defaultLanguage) ? undefined : lang;
    const query = other === undefined ? '' : `?lang=${encodeURIComponent(other)}`;
    const asked: Asked = { kind, id, lang: other, path: `${recordPath(kind, id)}${query}`, isAgain };
    try {
      const answer = await answered(asked);
      const data = objectOf(answer.value['data']);
      if (data !== undefined && (await isCopy(data, asked))) return noSuchLanguage(options.ledger);
      const result = shown(answer, asked, options);
      if (result.state === 'found' && other === undefined) options.absence.saw(kind, [id]);
      return result.state === 'unreadable' ? ((await rowIn(asked, options)) ?? result) : result;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      const verdict = await options.absence.judge(kind, id, error);
      if (verdict.state === 'absent') return verdict;
      if (verdict.state === 'unproved') return { state: 'unreadable', why: verdict.why };
      if (other === undefined) throw error;
      if (isRefusal(error) && (await refusesQuery(asked))) {
        if (!isBadRequest(error)) throw error;
        options.ledger.doubt('read-lang');
        const why = `it refuses \`?lang=\` (${error.status}): ${error.serviceMessage ?? ''}`;
        return (await rowIn(asked, options)) ?? unshown(why);
      }
      if (await isMissingLanguage({ kind, id, lang: other }, error)) return { state: 'absent' };
      throw error;
    }
  };
}

/** The translation that `?lang=` does not show, as the list's row of its own shows it. */
async function rowIn(asked: Asked, options: ReaderOptions): Promise<DatedRead | undefined> {
  const { kind, id, lang } = asked;
  const row = lang === undefined ? undefined : await options.rows.find(kind, id, lang);
  if (lang === undefined || row === undefined) return undefined;
  try {
    return await readRow(row, { ...asked, lang }, options);
  } catch (error) {
    // Why the row cannot be read says nothing of the record that was asked for.
    if (!(error instanceof RemoteError) || stopsEverything(error)) throw error;
    return undefined;
  }
}

async function readRow(
  row: RemoteId,
  { kind, id, lang, isAgain }: Asked & { readonly lang: string },
  options: ReaderOptions,
): Promise<DatedRead | undefined> {
  const path = recordPath(kind, row);
  const { value, atMs, tookMs } = await options.get(path, isAgain);
  const reading = { request: `GET ${path}`, clean: options.clean };
  if (isDeleted(recordIn(value, reading))) return undefined;
  const decoded = decode(kind, value, reading, options.ledger.now().leavesOut);
  if (decoded.id !== row || !isTranslation(decoded, id, lang)) return undefined;
  options.ledger.learn({ 'read-lang': 'yes' });
  return {
    state: 'found',
    // Its tag is the row's, and an edit goes to the original's address.
    record: knownRecord(decoded, { kind, id, lang, etag: undefined }, { readAtMs: atMs, tookMs }),
    ...(decoded.lastEdited === undefined ? {} : { lastEdited: decoded.lastEdited }),
  };
}

/** Said by the service itself. */
function isRefusal({ code, serviceMessage }: RemoteError): boolean {
  return code === 'rejected' && serviceMessage !== undefined;
}

function isBadRequest(error: RemoteError): boolean {
  return isRefusal(error) && (error.status === 400 || error.status === 422);
}

function shown({ value, headers, atMs, tookMs }: Answer, asked: Asked, options: ReaderOptions): DatedRead {
  const { ledger, clean, defaultLanguage } = options;
  // Said before the rest is looked at: what such an answer shows is not a record.
  if (isNewVersion(value)) {
    if (asked.lang === undefined)
      return unshown('the service says that this record does not exist yet (newVersion)');
    return noSuchLanguage(ledger);
  }
  const reading = { request: `GET ${asked.path}`, clean };
  if (isDeleted(recordIn(value, reading))) return { state: 'absent' };
  const decoded = decode(asked.kind, value, reading, ledger.now().leavesOut);
  if (decoded.isStampShown === true) ledger.learn({ 'hides-comments': 'no' });
  checkId(decoded, asked, reading, options);
  if (asked.lang === undefined) options.rows.showed(asked.kind, asked.id, decoded);
  if (asked.lang !== undefined) {
    const { language, languageParent } = decoded;
    // Some services keep languages with a region of their own.
    const isRegional = language !== null && languageParent === asked.id && answersFor(language, asked.lang);
    if (language === null || !(sameLanguage(language, asked.lang) || isRegional)) {
      ledger.doubt('read-lang');
      const found = recordIn(value, reading)['language'];
      const instead = language === null ? 'the original' : clean(language);
      return unshown(
        `asked for ${asked.lang}, the service shows ${instead} (data.language is ${described(found, clean)})`,
      );
    }
    ledger.learn({ 'read-lang': 'yes' });
  }
  const lang = asked.lang ?? ownLanguage(decoded, defaultLanguage);
  const etag = strongTag(headers['etag']);
  return {
    state: 'found',
    record: knownRecord(decoded, { kind: asked.kind, id: asked.id, lang, etag }, { readAtMs: atMs, tookMs }),
    ...(decoded.lastEdited === undefined ? {} : { lastEdited: decoded.lastEdited }),
  };
}

/** Fields in which a translation differs from its original, if it does. */
const OWN_TEXTS = ['name', 'slug', 'content', 'excerpt', 'description', 'long_description'] as const;

function noSuchLanguage(ledger: CapabilityLedger): DatedRead {
  ledger.learn({ 'read-lang': 'yes' });
  return { state: 'absent' };
}

/**
 * The record that was asked for, or in a language the translation that names it as its original. A service may keep each translation in
 * a row with an id, and show it under its original's: `id` and `language_parent` are one then, and it is nobody's original. An id that
 * the state has as an original's is no such row.
 */
function checkId(
  decoded: Decoded,
  asked: Asked,
  reading: Reading,
  { defaultLanguage, rows }: ReaderOptions,
): void {
  const { id, languageParent } = decoded;
  if (id === asked.id || (asked.lang !== undefined && languageParent === asked.id)) return;
  const mayBeRow = asked.lang === undefined && !rows.knows(asked.kind, asked.id);
  if (mayBeRow && isUnderOriginal(decoded, defaultLanguage)) return;
  const right = `the id ${reading.clean(asked.id)}`;
  if (asked.lang === undefined) {
    const because = 'kbsync asked for this record, and must not mistake another one for it';
    throw unreadable({ field: 'data.id', found: id, right, because }, reading);
  }
  const because = `the answer shows the record ${reading.clean(id)}, which may be a translation of any other`;
  throw unreadable({ field: 'data.language_parent', found: languageParent, right, because }, reading);
}

/** Some services name an original as its own parent, in the default language. */
function isUnderOriginal({ id, language, languageParent }: Decoded, defaultLanguage: string): boolean {
  return language !== null && languageParent === id && !sameTongue(language, defaultLanguage);
}

/**
 * A plain read may meet a translation that the service lists as a record of its own. What is nobody's translation and of the
 * same tongue (`en-US` for `en`) is an original.
 */
function ownLanguage({ language, languageParent }: Decoded, defaultLanguage: string): string {
  if (language === null) return defaultLanguage;
  return languageParent !== null || !sameTongue(language, defaultLanguage) ? language : defaultLanguage;
}

/** RFC 9110, 13.1.1: `If-Match` compares strongly, so a weak tag can only ever be refused. */
function strongTag(etag: string | undefined): string | undefined {
  return etag === undefined || /^\s*W\//i.test(etag) ? undefined : etag;
}

function unshown(why: string): DatedRead {
  return { state: 'unreadable', why };
}
