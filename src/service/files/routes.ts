import type { Context as Call, Hono } from 'hono';
import { FILE_DIGEST, FILE_NAME, FILE_ROUTES, type StoredFile } from '../../contract/index.ts';
import type { Caller } from '../keys/auth.ts';
import { answer } from '../http/answers.ts';
import { createBodyRoom } from '../http/body-room.ts';
import { readBytes } from '../http/request-body.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import { type Clock, nowMicros } from '../time.ts';
import type { FileBytes } from './bytes.ts';
import { addFile, bytesOfAll, type FileRecord, findFile } from './records.ts';
import { sendFile } from './send-file.ts';
import { examined } from './store-file.ts';

export interface FileOptions {
  readonly bytes: FileBytes;
  /** Default 25 MiB. */
  readonly fileBytesMax?: number;
  /** All files together. Default 5 GiB. */
  readonly allBytesMax?: number;
  /** Of files that arrive at the same time, in memory. Default 48 MiB. */
  readonly arrivingBytesMax?: number;
}

const FILE_BYTES_MAX = 25 * 1024 * 1024;
const ALL_BYTES_MAX = 5 * 1024 * 1024 * 1024;
const ARRIVING_BYTES_MAX = 48 * 1024 * 1024;
/** More than a client of ours sends at once. */
const WAITING_MAX = 32;
/** A client that asks for a file means to use it, so the sweep leaves it alone for a while; that is noted once an hour. */
const ASKED_AGAIN_MICROS = 3_600_000_000;

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly files: FileOptions;
  /** Checks the key of a request; the headers belong to the answer. @throws Refusal */
  readonly admit: (
    call: Call,
    does: 'read' | 'write',
  ) => Promise<{ readonly caller: Caller; readonly headers: Readonly<Record<string, string>> }>;
}

/** Where files are sent and asked for with a key, and where readers get them without one. */
export function addFiles(hono: Hono, { store, clock, files, admit }: Parts): void {
  const { bytes, fileBytesMax = FILE_BYTES_MAX, allBytesMax = ALL_BYTES_MAX } = files;
  const room = createBodyRoom({
    bytesMax: files.arrivingBytesMax ?? ARRIVING_BYTES_MAX,
    waitingMax: WAITING_MAX,
  });
  hono.get(FILE_ROUTES.readFile.path.replace('{digest}', ':digest'), async (call) => {
    const { headers } = await admit(call, 'read');
    const digest = digestIn(call);
    noQuery(call, []);
    const file = await store.read((sql) => findFile(sql, digest));
    // After this answer, clients send bytes that are missing again (a backup that was restored in part).
    if (file === undefined || (await bytes.read(digest, 0, 1)) === undefined) {
      throw new Refusal(404, 'no file has this digest');
    }
    await noteAsked(store, file, nowMicros(clock));
    return answer(200, replyOf(file, file.name, 'The file is here.'), headers);
  });
  hono.put(FILE_ROUTES.storeFile.path.replace('{digest}', ':digest'), async (call) => {
    const { caller, headers } = await admit(call, 'write');
    const digest = digestIn(call);
    const name = nameIn(call);
    const known = await store.read((sql) => findFile(sql, digest));
    if (known !== undefined && (await bytes.read(digest, 0, 1)) !== undefined) {
      await noteAsked(store, known, nowMicros(clock));
      return answer(200, replyOf(known, name, 'The file was here already.'), headers);
    }
    const record = await room(bytesIn(call, fileBytesMax), async () => {
      const body = await readBytes(call.req.raw, fileBytesMax);
      const sent = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
      if (sent.length === 0) throw new Refusal(400, 'the body is empty; the bytes of the file are needed');
      const { kept, file } = await examined(digest, name, sent);
      const used = await store.read(bytesOfAll);
      if (used + kept.length > allBytesMax) {
        throw new Refusal(
          413,
          `all files together would have more than ${allBytesMax} bytes, the most this service keeps`,
        );
      }
      // The bytes first: a row without bytes would be an image that cannot be seen.
      await bytes.write(digest, kept);
      const now = nowMicros(clock);
      const record: FileRecord = { ...file, addedAt: now, askedAt: now };
      await store.write((sql) => addFile(sql, store.knowledgeBase.id, record, caller.userId));
      return record;
    });
    return answer(201, replyOf(record, name, 'The file is kept.'), headers);
  });
  hono.get('/files/:digest/:name', async (call) => {
    const digest = call.req.param('digest');
    const name = call.req.param('name');
    const isAddress = FILE_DIGEST.test(digest) && FILE_NAME.test(name);
    const file = isAddress ? await store.read((sql) => findFile(sql, digest)) : undefined;
    if (file === undefined) throw new Refusal(404, 'there is no file at this address');
    return sendFile(call.req.raw, file, name, bytes);
  });
}

/** How much a request says that it sends; what says nothing may send the most. */
function bytesIn(call: Call, bytesMax: number): number {
  const declared = Number(call.req.header('content-length') ?? bytesMax);
  return declared >= 0 ? Math.min(declared, bytesMax) : bytesMax;
}

async function noteAsked(store: Store, { digest, askedAt }: FileRecord, now: number): Promise<void> {
  if (now - askedAt < ASKED_AGAIN_MICROS) return;
  await store.write((sql) => sql.run('update files set asked_at = ? where digest = ?', now, digest));
}

function digestIn(call: Call): string {
  const digest = call.req.param('digest') ?? '';
  if (!FILE_DIGEST.test(digest)) {
    throw new Refusal(400, 'the address ends in the SHA-256 of the file, 64 digits of 0-9 and a-f');
  }
  return digest;
}

function nameIn(call: Call): string {
  noQuery(call, ['name']);
  const names = call.req.queries('name') ?? [];
  const [name = ''] = names;
  if (names.length !== 1 || !FILE_NAME.test(name)) {
    throw new Refusal(
      400,
      '`name` is needed: 1 to 100 of A-Z, a-z, 0-9, dot, hyphen and underscore, like refund.png',
    );
  }
  return name;
}

function noQuery(call: Call, known: readonly string[]): void {
  const strange = Object.keys(call.req.queries()).find((name) => !known.includes(name));
  if (strange === undefined) return;
  throw new Refusal(400, `query parameter ${JSON.stringify(strange.slice(0, 80))} is not known here`);
}

function replyOf(file: FileRecord, name: string, message: string): object {
  const { digest, type, bytes, width, height } = file;
  const data: StoredFile = { url: `/files/${digest}/${name}`, type, bytes, width, height };
  return { success: true, message, data };
}
