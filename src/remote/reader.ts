import { ROUTES } from '../contract/index.ts';
import type { Kind } from '../model/key.ts';
import type { Absence } from './absence.ts';
import type { Answer } from './answer.ts';
import type { CapabilityLedger } from './capability-ledger.ts';
import { decode, knownRecord } from './decode.ts';
import type { Decoded } from './decode.ts';
import { RemoteError } from './error.ts';
import { recordPath } from './location.ts';
import type { ReadResult, Remote } from './remote.ts';
import type { CleanText } from './remote-text.ts';
import { conform, notUnderstood } from './wire.ts';

export interface ReaderOptions {
  readonly get: (path: string) => Promise<Answer>;
  readonly absence: Absence;
  readonly ledger: CapabilityLedger;
  readonly clean: CleanText;
  readonly defaultLanguage: string;
}

interface Asked {
  readonly kind: Kind;
  readonly id: string;
  /** Undefined for the original: it is asked for without `?lang=`. */
  readonly lang: string | undefined;
  readonly path: string;
}

/** `Remote.read`: one record in one language, or the proof that there is none. */
export function createReader(options: ReaderOptions): Remote['read'] {
  return async (kind, id, lang) => {
    const other = lang === undefined || sameLanguage(lang, options.defaultLanguage) ? undefined : lang;
    const query = other === undefined ? '' : `?lang=${encodeURIComponent(other)}`;
    const asked: Asked = { kind, id, lang: other, path: `${recordPath(kind, id)}${query}` };
    try {
      const result = shown(await options.get(asked.path), asked, options);
      if (result.state === 'found' && other === undefined) options.absence.saw(kind, [id]);
      return result;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      const verdict = await options.absence.judge(kind, id, error);
      if (verdict.state === 'absent') return verdict;
      if (verdict.state === 'unproved') return { state: 'unreadable', why: verdict.why };
      throw error;
    }
  };
}

function shown({ value, headers, atMs }: Answer, asked: Asked, options: ReaderOptions): ReadResult {
  const { ledger, clean, defaultLanguage } = options;
  // Said before the rest is looked at: what such an answer shows is not a record.
  if (value['newVersion'] === true) {
    if (asked.lang === undefined)
      return unreadable('the service says that this record does not exist yet (newVersion)');
    ledger.learn({ 'read-lang': 'yes' });
    return { state: 'absent' };
  }
  const request = `GET ${asked.path}`;
  const decoded = decodeReply(asked.kind, value, { request, clean });
  if (decoded.id !== asked.id && (asked.lang === undefined || decoded.languageParent !== asked.id)) {
    throw notUnderstood(request, `it shows the record ${clean(decoded.id)}`);
  }
  if (asked.lang !== undefined) {
    if (decoded.language === null || !sameLanguage(decoded.language, asked.lang)) {
      ledger.doubt('read-lang');
      const instead = decoded.language === null ? 'the original' : clean(decoded.language);
      return unreadable(`asked for ${asked.lang}, the service shows ${instead}`);
    }
    ledger.learn({ 'read-lang': 'yes' });
  }
  // A plain read may meet a translation that the service lists as a record of its own.
  const own = decoded.languageParent === null ? null : decoded.language;
  const record = knownRecord(
    decoded,
    { kind: asked.kind, id: asked.id, lang: asked.lang ?? own ?? defaultLanguage, etag: headers['etag'] },
    atMs,
  );
  return { state: 'found', record };
}

function decodeReply(kind: Kind, value: unknown, context: { request: string; clean: CleanText }): Decoded {
  switch (kind) {
    case 'article':
      return decode({ kind, reply: conform(ROUTES.readArticle.reply, value, context) });
    case 'category':
      return decode({ kind, reply: conform(ROUTES.readCategory.reply, value, context) });
    case 'tag':
      return decode({ kind, reply: conform(ROUTES.readTag.reply, value, context) });
  }
}

function unreadable(why: string): ReadResult {
  return { state: 'unreadable', why };
}

/** `zh-CN`, `zh-cn` and `zh_CN` are one language; `pt` and `pt-BR` are two. */
function sameLanguage(a: string, b: string): boolean {
  return a.replaceAll('_', '-').toLowerCase() === b.replaceAll('_', '-').toLowerCase();
}
