import type { FieldValue, Fields } from '../../model/fields.ts';
import { bodyFieldOf, fieldsOf } from '../../model/fields.ts';
import type { Kind } from '../../model/key.ts';
import { jsonBytes } from '../../model/json-text.ts';
import { RemoteError } from '../error.ts';

/** Spec, "Article create and edit body" and "Category create body"; of a tag the spec does not show it (docs/reference/gaps.md). */
const REQUIRED_TO_CREATE: Readonly<Record<Kind, readonly string[]>> = {
  article: ['title', 'slug', 'categories', 'excerpt', 'ordering', 'status', 'content'],
  category: ['name', 'slug', 'priority'],
  tag: ['name', 'slug'],
};
const REQUIRED_TO_EDIT: Readonly<Record<Kind, readonly string[]>> = {
  article: REQUIRED_TO_CREATE.article,
  category: [],
  tag: [],
};

/** A create's body. Null fields are left out: a new record has nothing to clear. Throws `rejected` (see `checked`). */
export function createBody(kind: Kind, fields: Fields, request: string): Buffer {
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return bodyBytes(kind, checked(kind, present, REQUIRED_TO_CREATE[kind], request));
}

/**
 * An edit's body: exactly the fields given, a null as a null (it clears), `lang` unless the service refuses it for
 * originals, a tag's `id` too (spec, tag edit body).
 */
export function editBody(
  kind: Kind,
  target: { readonly id: string; readonly lang: string | undefined },
  fields: Fields,
  request: string,
): Buffer {
  const body = checked(kind, fields, REQUIRED_TO_EDIT[kind], request);
  const { id, lang } = target;
  return bodyBytes(kind, {
    ...body,
    ...(lang === undefined ? {} : { lang }),
    ...(kind === 'tag' ? { id } : {}),
  });
}

const STAMP_START = '\n<!-- kbsync ';

/** The long text comes last: its JSON is there already, because the stamp at its end has its digest. */
function bodyBytes(kind: Kind, body: Readonly<Record<string, unknown>>): Buffer {
  const field = bodyFieldOf(kind);
  const { [field]: text, ...others } = body;
  if (typeof text !== 'string') return Buffer.from(JSON.stringify(body));
  const before = JSON.stringify(others).slice(0, -1);
  const stampAt = text.lastIndexOf(STAMP_START);
  const end = stampAt < 0 ? text.length : stampAt;
  return Buffer.concat([
    Buffer.from(`${before}${before === '{' ? '' : ','}${JSON.stringify(field)}:`),
    jsonBytes(text.slice(0, end)).subarray(0, -1),
    Buffer.from(`${JSON.stringify(text.slice(end)).slice(1)}}`),
  ]);
}

/**
 * The fields in the spelling of the wire, or `rejected` without a request: the values may be the service's own (a status
 * that the documentation does not know, an empty slug), so this is no bug, and no service should have to judge it.
 */
function checked(
  kind: Kind,
  fields: Fields,
  required: readonly string[],
  request: string,
): Readonly<Record<string, unknown>> {
  const missing = required.find((name) => fields[name] === undefined || fields[name] === null);
  if (missing !== undefined)
    throw unsent(
      request,
      `the service does not show ${missing}, an edit must contain it, and a value on the site would be lost; ` +
        `write \`${missing}:\` into the file`,
    );
  const empty = ['title', 'name', 'slug'].find((name) => fields[name] === '');
  if (empty !== undefined) throw unsent(request, `${empty} is empty; it must have at least one character`);
  const { status } = fields;
  if (status !== undefined && status !== 'draft' && status !== 'published')
    throw unsent(
      request,
      `status is ${JSON.stringify(status)}; it must be "draft" or "published"; write \`status:\` into the file`,
    );
  const specs = fieldsOf(kind);
  const unknown = Object.keys(fields).find((name) => !specs.has(name));
  if (unknown !== undefined) throw unsent(request, `${unknown} is not a field of this kind`);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      specs.get(name)?.type === 'refs' ? refs(value) : value,
    ]),
  );
}

/** Spec: "array of objects {value: category id}". */
function refs(value: FieldValue): unknown {
  return typeof value === 'object' && value !== null ? value.map((id) => ({ value: id })) : value;
}

function unsent(request: string, reason: string): RemoteError {
  return new RemoteError('rejected', `${request}: not sent: ${reason}`, { request });
}
