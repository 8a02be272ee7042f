import { hash, timingSafeEqual } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context as Call, Hono } from 'hono';
import { answer } from '../http/answers.ts';
import { readBytes } from '../http/request-body.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import { type Clock, isoDate, nowMicros } from '../time.ts';
import { lockTeamState, readTeamState, unlockTeamState, writeTeamState } from './team-states.ts';

export interface TeamStateOptions {
  /** Opens the states and nothing else; no key of the API opens them. */
  readonly key: string;
  /** Default 64 MiB. */
  readonly stateBytesMax?: number;
}

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly states: TeamStateOptions;
}

const PATH = '/api/state/:name';
const STATE_BYTES_MAX = 64 * 1024 * 1024;
const LOCK_BYTES_MAX = 16 * 1024;
/** Some milliseconds each. */
const PIECE_BYTES = 1024 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const LOCK_ID = /^[\x21-\x7e]{1,200}$/;
/** How documentText of the client begins. */
const KBSYNC_HEAD = /^\{"version":4,"serial":(\d{1,15}),"kbsync":"shared-state"/;

/** States of kbsync runs that share one, in the protocol of Terraform's http backend. */
export function addTeamStates(hono: Hono, { store, clock, states }: Parts): void {
  const { stateBytesMax = STATE_BYTES_MAX } = states;
  hono.get(PATH, async (call) => {
    const name = admitted(call, states);
    const pieces = await store.read((sql) => readTeamState(sql, name));
    if (pieces === undefined)
      return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
    return new Response(streamOf(pieces), {
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    });
  });
  hono.post(PATH, async (call) => {
    const name = admitted(call, states);
    const pieces = await piecesOf(await readBytes(call.req.raw, stateBytesMax));
    const serial = KBSYNC_HEAD.exec(pieces[0] ?? '')?.[1];
    const id = call.req.query('ID');
    const refused = await writeTeamState(store, name, {
      id,
      pieces,
      serial: serial === undefined ? undefined : Number(serial),
      nowMicros: nowMicros(clock),
    });
    if (refused?.why === 'serial')
      throw new Refusal(412, 'the state is not written: its serial does not follow the one that is stored');
    if (refused !== undefined && refused.holder !== null)
      return lockedReply(refused.holder, refused.untilMicros);
    if (refused !== undefined)
      throw new Refusal(409, 'the state is not written: ID names a lock, and nobody holds one');
    return answer(200, { success: true, message: 'The state is written.' });
  });
  hono.on('LOCK', PATH, async (call) => {
    const name = admitted(call, states);
    const { id, text } = await lockIn(call);
    const leaseSeconds = leaseIn(call);
    const lock = await lockTeamState(store, name, {
      id,
      info: text,
      leaseSeconds,
      nowMicros: nowMicros(clock),
    });
    if (!lock.held) return lockedReply(lock.info, lock.untilMicros);
    return answer(
      200,
      { success: true, message: 'The state is locked.' },
      {
        'Kbsync-Fence': String(lock.fence),
        ...(leaseSeconds === undefined ? {} : { Timeout: `Second-${leaseSeconds}` }),
      },
    );
  });
  hono.on('UNLOCK', PATH, async (call) => {
    const name = admitted(call, states);
    const { id } = await lockIn(call);
    if (await unlockTeamState(store, name, id))
      return answer(200, { success: true, message: 'The state is unlocked.' });
    throw new Refusal(409, 'no lock of the state has this ID');
  });
}

/** 423 with the lock of the holder, and until when it is good where it ends by itself. */
function lockedReply(info: string, untilMicros: number | null): Response {
  const lock = objectIn(info);
  const more = typeof lock['Info'] === 'string' ? objectIn(lock['Info']) : {};
  const until = untilMicros === null ? {} : { until: isoDate(untilMicros) };
  return answer(423, { ...lock, Info: JSON.stringify({ ...more, ...until }) });
}

/** The name of the state, for who has the key. @throws Refusal */
function admitted(call: Call, { key }: TeamStateOptions): string {
  const given = givenKey(call.req.header('authorization') ?? '');
  if (!timingSafeEqual(Buffer.from(hash('sha256', given)), Buffer.from(hash('sha256', key)))) {
    throw new Refusal(401, 'the key of the states is needed, as the password or after Bearer', {
      'WWW-Authenticate': 'Basic realm="kbsync states"',
    });
  }
  const name = call.req.param('name') ?? '';
  if (NAME.test(name)) return name;
  throw new Refusal(400, 'the name of a state has 1 to 100 of A-Z, a-z, 0-9, dot, hyphen and underscore');
}

/** Terraform's clients send a user and a password (RFC 7617); the user may be anything. */
function givenKey(authorization: string): string {
  const [, scheme = '', value = ''] = /^(Basic|Bearer) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return value;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

async function lockIn(call: Call): Promise<{ readonly id: string; readonly text: string }> {
  const text = (await piecesOf(await readBytes(call.req.raw, LOCK_BYTES_MAX))).join('');
  const { ID: id } = objectIn(text);
  if (typeof id === 'string' && LOCK_ID.test(id)) return { id, text };
  throw new Refusal(400, 'the body is the lock as JSON, with an ID of 1 to 200 characters');
}

/** RFC 4918, 10.7: `Timeout: Second-300`. Without it the lock has no end, as Terraform wants it. */
function leaseIn(call: Call): number | undefined {
  const seconds = /^Second-(\d{1,6})$/i.exec(call.req.header('timeout') ?? '')?.[1];
  return seconds === undefined ? undefined : Math.min(3600, Math.max(1, Number(seconds)));
}

/** The text of a body, a piece of a turn of the event loop at a time; no piece ends within a character. @throws Refusal */
async function piecesOf(bytes: Uint8Array): Promise<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const pieces: string[] = [];
  try {
    for (let at = 0; at === 0 || at < bytes.length; at += PIECE_BYTES) {
      const stream = at + PIECE_BYTES < bytes.length;
      pieces.push(decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream }));
      await nextTurn();
    }
  } catch {
    throw notText();
  }
  if (pieces.some((piece) => piece.includes('\0'))) throw notText();
  return pieces;
}

function notText(): Refusal {
  return new Refusal(400, 'the body is not text in UTF-8');
}

/** As the reader takes it: what waits for a slow one is a piece, and no reason to cut it off. */
function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const piece = pieces[next];
        next += 1;
        if (piece === undefined) controller.close();
        else controller.enqueue(encoder.encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
