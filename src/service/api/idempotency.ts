import { hash } from 'node:crypto';
import type { WriteContext, WriteAnswer } from '../context.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../store/store.ts';
import { nowMicros } from '../time.ts';

const KEPT_MICROS = 24 * 3600 * 1_000_000;
const TOKEN_CHARS_MAX = 255;

export interface Repeatable {
  readonly keyId: string;
  /** The Idempotency-Key header. */
  readonly token: string | undefined;
  /** The route and the body as it was understood. */
  readonly request: readonly [route: string, body: unknown];
}

/**
 * Does a create once for each Idempotency-Key of an API key: the answer is stored in the create's own transaction and
 * given again for 24 hours. Refused creates are not stored, so they can be sent again.
 * @throws Refusal 422 when the same Idempotency-Key comes with another request
 */
export async function once(
  sql: Transaction,
  context: WriteContext,
  { keyId, token, request }: Repeatable,
  create: () => Promise<WriteAnswer>,
): Promise<WriteAnswer> {
  if (token === undefined) return create();
  if (token === '' || token.length > TOKEN_CHARS_MAX) {
    throw new Refusal(
      400,
      `Idempotency-Key has ${token.length} characters; 1 to ${TOKEN_CHARS_MAX} are taken`,
    );
  }
  const now = nowMicros(context.clock);
  const digest = hash('sha256', JSON.stringify(request));
  await sql.run('delete from idempotency where created_at <= ?', now - KEPT_MICROS);
  // First of all, because where writers run side by side a repetition waits here until the first one has ended: a check
  // without a row would pass, and the create then find its own record in the way.
  const isFirst = await sql.run(
    `insert into idempotency (key_id, token, request_digest, created_at, reply) values (?, ?, ?, ?, '')
     on conflict (key_id, token) do nothing`,
    keyId,
    token,
    digest,
    now,
  );
  if (isFirst === 0) {
    const before = await sql.get<{ readonly request_digest: string; readonly reply: string }>(
      'select request_digest, reply from idempotency where key_id = ? and token = ?',
      keyId,
      token,
    );
    if (before === undefined) throw new Error('bug: an Idempotency-Key is in the way and not there');
    if (before.request_digest !== digest) {
      throw new Refusal(422, `Idempotency-Key ${JSON.stringify(token)} was used for another request`);
    }
    // The text is what this function stored below.
    return JSON.parse(before.reply) as WriteAnswer;
  }
  const written = await create();
  await sql.run(
    'update idempotency set reply = ? where key_id = ? and token = ?',
    JSON.stringify(written),
    keyId,
    token,
  );
  return written;
}
