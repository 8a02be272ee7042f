import { ROUTES } from '../contract/index.ts';
import type { FieldValue, Fields } from '../model/fields.ts';
import { fieldsOf } from '../model/fields.ts';
import type { Kind } from '../model/key.ts';
import { RemoteError } from './error.ts';

const CREATE = {
  article: ROUTES.createArticle.body,
  category: ROUTES.createCategory.body,
  tag: ROUTES.createTag.body,
};
const EDIT = {
  article: ROUTES.editArticle.body,
  category: ROUTES.editCategory.body,
  tag: ROUTES.editTag.body,
};

/** A create's body. Null fields are left out: a new record has nothing to clear. Throws `rejected` (see `checkedBody`). */
export function createBody(kind: Kind, fields: Fields, request: string): string {
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return checkedBody(CREATE[kind].safeParse(wireFields(kind, present)), request);
}

/**
 * An edit's body: exactly the fields given, a null as a null (it clears), `lang` always, a tag's `id` too (spec, tag
 * edit body).
 */
export function editBody(
  kind: Kind,
  target: { readonly id: string; readonly lang: string },
  fields: Fields,
  request: string,
): string {
  const body = {
    ...wireFields(kind, fields),
    lang: target.lang,
    ...(kind === 'tag' ? { id: target.id } : {}),
  };
  return checkedBody(EDIT[kind].safeParse(body), request);
}

function wireFields(kind: Kind, fields: Fields): Readonly<Record<string, unknown>> {
  const specs = fieldsOf(kind);
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

/**
 * The documented body, or `rejected` without a request: the values may be the service's own (a status the
 * documentation does not know, an empty slug), so this is no bug, and no service should have to judge it.
 */
export function checkedBody(
  result:
    | { readonly success: true; readonly data: unknown }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      },
  request: string,
): string {
  if (result.success) return JSON.stringify(result.data);
  const [issue] = result.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw new RemoteError(
    'rejected',
    `${request}: not sent: ${field === '' ? 'the fields' : field}: ${issue?.message ?? ''}`,
    {
      request,
    },
  );
}
