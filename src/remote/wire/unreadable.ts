import { RemoteError } from '../error.ts';
import type { CleanText } from '../http/clean-text.ts';
import { isJsonObject } from '../../text/json-value.ts';

/** Of which reply a field is read, and how text of the service is made fit to be shown. */
export interface Reading {
  /** `GET /api/v2/articles` */
  readonly request: string;
  readonly clean: CleanText;
}

/** A field that the client cannot do without. The same words stand in docs/reference/gaps.md. */
export interface Need {
  /** `data[3].id` */
  readonly field: string;
  readonly found: unknown;
  /** `a text or a whole number` */
  readonly right: string;
  /** `kbsync knows a record by its id` */
  readonly because: string;
}

/** The reply is an answer of the API, and one field that is needed cannot be read. */
export function unreadable({ field, found, right, because }: Need, { request, clean }: Reading): RemoteError {
  return notUnderstood(
    request,
    `the field ${field} of the answer is ${described(found, clean)}; it must be ${right}, because ${because}`,
    field,
  );
}

export function notUnderstood(request: string, words: string, field?: string): RemoteError {
  return new RemoteError('not-understood', `${request}: ${words}`, { request, status: 200, field });
}

const SHOWN_CHARS = 40;
const SHOWN_NAMES = 4;

/** What is there, in a few words. */
export function described(value: unknown, clean: CleanText): string {
  if (value === undefined) return 'missing';
  if (value === '') return 'an empty text';
  if (typeof value === 'string') {
    const shown = value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}…` : value;
    return `the text ${clean(JSON.stringify(shown))}`;
  }
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  // A number, a boolean or null: JSON has nothing else.
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value);
  if (names.length === 0) return 'an empty object';
  const more = names.length > SHOWN_NAMES ? ', …' : '';
  return `an object with ${clean(names.slice(0, SHOWN_NAMES).join(', '))}${more}`;
}
