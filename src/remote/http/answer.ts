import { hash } from 'node:crypto';
import type { BaseUrl } from '../address.ts';
import { namedAsTold } from './field-names.ts';
import type { Effect } from './retry.ts';
import { RemoteError } from '../error.ts';
import type { RemoteErrorCode } from '../error.ts';
import type { PlainResponse } from './exchange.ts';
import { parseJson } from './json.ts';
import { withAttributes } from './json-api.ts';
import type { CleanText } from './clean-text.ts';
import { retryAfterMs } from './retry-after.ts';
import { isJsonObject } from '../../text/json-value.ts';
import { urlOf } from '../../text/url.ts';

/** A clear yes: 2xx, JSON, an object, `success: true`. */
export interface Answer {
  readonly value: Readonly<Record<string, unknown>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** When its request was sent, by the run's clock: what it shows is as old as that. */
  readonly atMs: number;
  /** How long it was under way; absent: no time. */
  readonly tookMs?: number;
  /** Of the body's bytes, where the call brought the digest of a known one (which may be empty). */
  readonly digest?: string;
  /** 304: the body that the call's tag names is the body now. There is no `value`. */
  readonly isUnchanged?: true;
}

export interface AnswerContext {
  /** `PUT /api/v2/articles` */
  readonly request: string;
  /** What the answer decides: a read can be repeated, a create cannot. */
  readonly effect: Effect;
  readonly base: BaseUrl;
  readonly nowMs: number;
  /** When the request was sent; absent: now. */
  readonly sentAtMs?: number;
  readonly clean: CleanText;
  readonly knownDigest?: string | undefined;
  /** The request carried If-None-Match, so 304 answers it. */
  readonly isConditional?: boolean;
  /** Of what the request writes: an address that ends in it is the record's page. */
  readonly slug?: string | undefined;
}

/**
 * The one place where an HTTP answer gets its meaning; anything but a clear yes throws a RemoteError, whose codes are
 * described there. A success status alone means nothing: login pages and `success: false` come as 200.
 */
export function readAnswer(response: PlainResponse, context: AnswerContext): Answer {
  const { status, headers } = response;
  if (status === 304 && context.isConditional === true) return unchangedAnswer(headers, context);
  if (response.redirectedTo !== undefined || status === 0 || (status >= 300 && status < 400)) {
    throw redirectError(response, context);
  }
  const digest = context.knownDigest === undefined ? undefined : hash('sha256', response.body, 'base64url');
  const isKnown = digest !== undefined && digest === context.knownDigest;
  if (isKnown && status >= 200 && status <= 299 && response.problem === undefined)
    return lazyAnswer(response, context, digest);
  if (isMade(response, context)) return { value: { success: true }, headers, ...timesOf(context) };
  const body = readBody(response, context);
  if (status < 200 || status > 299) throw statusError(response, body, context);
  if (body.problem !== undefined) throw notClear(status, body, context);
  if (body.object === undefined)
    throw notClear(status, { ...body, problem: 'its JSON is not an object' }, context);
  const success = yesOrNo(body.object['success']);
  if (success === false) {
    if (asksForLess(response, body)) throw throttled(response, body, context);
    throw failure('rejected', 'the service refused it', { status, body }, context);
  }
  if (success === undefined) {
    throw notClear(
      status,
      { ...body, problem: 'it has no "success": true, so it is not an answer of this API' },
      context,
    );
  }
  return { value: body.object, headers, ...timesOf(context), ...(digest === undefined ? {} : { digest }) };
}

/** 201 without a word says that the record was made, and Location which one it is (RFC 9110, 15.3.2). */
function isMade({ status, headers, body, problem }: PlainResponse, { effect }: AnswerContext): boolean {
  const { location = '' } = headers;
  return (
    status === 201 &&
    effect === 'create' &&
    problem === undefined &&
    body.length === 0 &&
    location.includes(API_PATH)
  );
}

function timesOf({ nowMs, sentAtMs = nowMs }: AnswerContext): Pick<Answer, 'atMs' | 'tookMs'> {
  return { atMs: sentAtMs, ...(nowMs > sentAtMs ? { tookMs: nowMs - sentAtMs } : {}) };
}

/** Also as 0 and 1, or as text. */
function yesOrNo(value: unknown): boolean | undefined {
  switch (typeof value === 'string' ? value.trim().toLowerCase() : value) {
    case true:
    case 'true':
    case 1:
    case '1':
      return true;
    case false:
    case 'false':
    case 0:
    case '0':
      return false;
    default:
      return undefined;
  }
}

function unchangedAnswer(headers: PlainResponse['headers'], context: AnswerContext): Answer {
  return {
    get value(): never {
      throw new Error(`bug: ${context.request} was answered with 304, which has no body`);
    },
    headers,
    ...timesOf(context),
    isUnchanged: true,
  };
}

/** The very bytes that were a clear yes before. */
function lazyAnswer(response: PlainResponse, context: AnswerContext, digest: string): Answer {
  const { knownDigest: _, ...plain } = context;
  let answer: Answer | undefined;
  return {
    get value() {
      answer ??= readAnswer(response, plain);
      return answer.value;
    },
    headers: response.headers,
    ...timesOf(context),
    digest,
  };
}

interface Body {
  readonly object?: Readonly<Record<string, unknown>>;
  /** Why there is no value. */
  readonly problem?: string;
  /** The body did not arrive whole, which is the network's doing, not the service's word. */
  readonly isBroken?: boolean;
}

function readBody({ status, headers, body, problem }: PlainResponse, context: AnswerContext): Body {
  if (problem !== undefined) return { problem };
  const type = headers['content-type'] ?? '';
  if (/^\s*<(?:!doctype|html|head|body)/i.test(body.toString('latin1', 0, 100))) {
    return { problem: htmlProblem(status, context) };
  }
  const isJson = /^[\w.+-]+\/(?:[\w.+-]+\+|x-)?json\s*(?:;|$)/i.test(type);
  // Scripts that forget to name the type send JSON as HTML or plain text: what is an answer is seen by what it says.
  if (!isJson && !/^(?:\ufeff|\xef\xbb\xbf)?\s*\{/.test(body.toString('latin1', 0, 100))) {
    return { problem: typeProblem({ status, type, body }, context) };
  }
  try {
    const value = parseJson(body, /;\s*charset="?([\w.:-]+)/i.exec(type)?.[1]);
    return isJsonObject(value) ? { object: namedAsTold(withAttributes(value)) } : {};
  } catch (error) {
    const problem = error instanceof SyntaxError ? error.message : 'it is no JSON';
    return isJson ? { problem, isBroken: true } : { problem: typeProblem({ status, type, body }, context) };
  }
}

function typeProblem(
  { status, type, body }: { readonly status: number; readonly type: string; readonly body: Buffer },
  context: AnswerContext,
): string {
  // Scripts that forget to name the type call any answer HTML.
  if (/html/i.test(type) && body.includes('<')) return htmlProblem(status, context);
  if (body.length === 0) return 'it is empty';
  return `its content type is ${type === '' ? 'missing' : `"${context.clean(type)}"`}, not JSON`;
}

function htmlProblem(status: number, { base }: AnswerContext): string {
  // The status alone says what is wrong.
  if (status >= 400 && status !== 404 && status !== 405)
    return 'it is an HTML page, as a proxy or a firewall sends it';
  return `it is an HTML page, of a login or a proxy, or because ${base.href} is not the address of a knowledge base`;
}

function statusError(response: PlainResponse, body: Body, context: AnswerContext): RemoteError {
  const { status } = response;
  const waitMs = retryAfterMs(response.headers, context.nowMs);
  const details = { status, body, retryAfterMs: waitMs };
  if (status === 401)
    return failure(
      'unauthorized',
      'the service does not accept the API key (KBSYNC_API_KEY)',
      details,
      context,
    );
  if (status === 429 || (status === 403 && asksForLess(response, body)))
    return throttled(response, body, context);
  // A firewall answers with a page: it looked at the text, not at the key.
  if (status === 403) {
    const who = body.object === undefined ? 'something in front of the service' : 'the service';
    return failure('forbidden', `${who} does not allow this request`, details, context);
  }
  // For a backup, or because an editor has it open (RFC 4918, 11.3): nothing was carried out.
  if (status === 423) {
    const code = context.effect === 'read' ? 'unclear' : 'rejected';
    return failure(code, 'it is locked for now; run again when it is free', details, context);
  }
  if (status === 413) {
    const words = 'the service, or a proxy in front of it, takes no text of this size';
    return failure('rejected', `${words}; shorten the page, or raise the limit there`, details, context);
  }
  if (status === 412) return failure('stale', 'somebody changed the record in between', details, context);
  // A create that met a 503 may have been done by a replica behind the proxy that answers; 429 is said before.
  if (status === 503 && waitMs !== undefined && context.effect !== 'create') {
    return failure('throttled', 'the service is busy', details, context);
  }
  if (status >= 500 || status === 408 || status === 425) {
    return failure('unclear', `the service failed${mayBeDone(context)}`, details, context);
  }
  if (body.object === undefined && (status === 404 || status === 405) && context.effect === 'read') {
    return failure(
      'not-understood',
      'this is not an answer of the API of a knowledge base',
      details,
      context,
    );
  }
  return failure('rejected', 'the service refused it', details, context);
}

function throttled(response: PlainResponse, body: Body, context: AnswerContext): RemoteError {
  const waitMs = retryAfterMs(response.headers, context.nowMs);
  const details = { status: response.status, body, retryAfterMs: waitMs };
  return failure('throttled', 'the service asks for fewer requests', details, context);
}

/** Not everybody says it with 429: some refuse with 403, or with 200 and `success: false`, and say so in a header or in words. */
function asksForLess({ headers }: PlainResponse, { object }: Body): boolean {
  if (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining']?.trim() === '0') return true;
  const said = object?.['message'];
  return typeof said === 'string' && /\brate[ -]?limit|\btoo many requests\b/i.test(said);
}

/** A 2xx that is no yes: for a read it is useless, for a write it leaves open what happened. */
function notClear(status: number, body: Body, context: AnswerContext): RemoteError {
  const code = context.effect === 'read' && body.isBroken !== true ? 'not-understood' : 'unclear';
  return failure(code, `the answer cannot be used${mayBeDone(context)}`, { status, body }, context);
}

function mayBeDone({ effect }: AnswerContext): string {
  return effect === 'read' ? '' : '; the change may have been made';
}

function failure(
  code: RemoteErrorCode,
  words: string,
  { status, body, retryAfterMs }: { status: number; body: Body; retryAfterMs?: number | undefined },
  { request, clean }: AnswerContext,
): RemoteError {
  const said = body.object?.['message'];
  const serviceMessage = body.object === undefined ? undefined : typeof said === 'string' ? clean(said) : '';
  const reason = body.problem ?? (serviceMessage === '' ? undefined : serviceMessage);
  return new RemoteError(
    code,
    `${request}: ${words} (${status})${reason === undefined ? '' : `: ${reason}`}`,
    {
      request,
      status,
      retryAfterMs,
      serviceMessage,
    },
  );
}

/**
 * 303 answers a write with the address of what came of it (RFC 9110, 15.4.4), and many frameworks say 302 for it: the write
 * may be done, whichever page of the same host it leads to; others lead back to the form that they refuse. A 302 to the same
 * path elsewhere, or to a login page, and the other 3xx carried nothing out.
 */
function mayFollowWrite(
  status: number,
  target: URL | undefined,
  from: URL,
  { effect, slug }: AnswerContext,
): boolean {
  if (effect === 'read' || target?.origin !== from.origin) return false;
  if (status === 303) return true;
  const isElsewhere = target.pathname !== from.pathname && target.pathname.endsWith(from.pathname);
  return status === 302 && !isElsewhere && (isPageOf(slug, target) || !isLogin(target));
}

/** An article may be called `login`. */
function isPageOf(slug: string | undefined, { pathname }: URL): boolean {
  return slug !== undefined && slug !== '' && pathname.replace(/\/$/, '').endsWith(`/${encodeURI(slug)}`);
}

/** Whoever has to log in first has written nothing. */
function isLogin({ pathname }: URL): boolean {
  return !pathname.includes(API_PATH) && LOGIN.test(pathname);
}

const API_PATH = '/api/v2/';
const LOGIN = /\/(?:wp-)?(?:log[_-]?in|sign[_-]?in|sso|o?auth2?|saml2?|sessions?)(?:[/.]|$)/i;

function redirectError(
  { status, headers, redirectedTo }: PlainResponse,
  context: AnswerContext,
): RemoteError {
  const { request, base, clean } = context;
  const path = request.slice(request.indexOf(' ') + 1);
  const location = redirectedTo ?? headers['location'] ?? '';
  const from = `${base.href}${path}`;
  const target = location === '' ? undefined : urlOf(location, from);
  const to = target === undefined ? 'without saying where to' : `to ${target.origin}`;
  if (mayFollowWrite(status, target, new URL(from), context))
    return new RemoteError(
      'unclear',
      clean(
        `${request}: the answer redirects to ${target?.pathname} (${status}); the change may have been made`,
      ),
      { request, status },
    );
  const plainPath = path.replace(/\?.*$/, '');
  const right =
    target !== undefined && target.pathname.endsWith(plainPath)
      ? `set baseUrl to ${target.origin}${target.pathname.slice(0, -plainPath.length)}`
      : `it is not an address of the API: probably a login page, or baseUrl ${base.href} is wrong`;
  return new RemoteError(
    'redirect',
    clean(`${request}: redirected ${to} (${status}); kbsync follows no redirects, ${right}`),
    {
      request,
      status,
    },
  );
}
