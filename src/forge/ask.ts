import { z } from 'zod';
import { visible } from '../model/visible.ts';
import type { Send } from '../remote/remote.ts';
import { ForgeError } from './forge.ts';
import { jsonValue } from '../text/json-value.ts';

export interface Asking {
  readonly send: Send;
  /** With the path of the API, without a slash at the end. */
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly forge: string;
}

const WORDS_MAX = 300;

/** One call of a forge's JSON API. @throws ForgeError `forge` */
export async function ask<T>(
  { send, api, headers, forge }: Asking,
  {
    method,
    path,
    body,
  }: { readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'; readonly path: string; readonly body?: object },
  schema: z.ZodType<T>,
): Promise<T> {
  const what = `${method} ${path.replace(/\?.*/, '')}`;
  const request = new Request(`${api}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  let response: Response;
  try {
    response = await send(request);
  } catch (error) {
    throw new ForgeError('forge', `${forge} did not answer ${what}`, { cause: error });
  }
  const text = await response.text();
  if (!response.ok)
    throw new ForgeError('forge', `${forge} answered ${response.status} to ${what}: ${saidIn(text)}`);
  const read = schema.safeParse(jsonValue(text));
  if (!read.success)
    throw new ForgeError('forge', `${forge} answered ${what} with something else than its API describes`);
  return read.data;
}

const Said = z.object({ message: z.unknown(), errors: z.unknown().optional() });

/** The reason, as both forges give it. */
function saidIn(text: string): string {
  const { data } = Said.safeParse(jsonValue(text));
  const said = data === undefined ? text : [data.message, data.errors].flatMap((part) => part ?? []);
  const words =
    typeof said === 'string'
      ? said
      : said.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ');
  return visible(words).slice(0, WORDS_MAX);
}
