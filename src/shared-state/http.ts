import { BaseError } from '../base/base.ts';
import { documentText } from '../base/shared/document-text.ts';
import type { NumberedDocument } from '../base/shared/document-text.ts';
import type { Lease, LockOwner, SharedStore } from '../base/shared/shared-store.ts';
import { stateServer } from './http-server.ts';
import type { Answer } from './ask.ts';
import type { HttpStateOptions, StateServer } from './http-server.ts';
import { heldBy, lockInfo } from './lock-info.ts';

/**
 * A state behind the protocol of Terraform's http backend (developer.hashicorp.com/terraform/language/backend/http): GET,
 * POST with `?ID=`, LOCK and UNLOCK with the lock as JSON, 423 or 409 with the lock of the other.
 */
export function httpState(options: HttpStateOptions): SharedStore {
  const server = stateServer(options);
  const { name, unexpected } = server;
  return {
    name,
    read: async () => (await server.get()).document,
    lock: async (owner) => {
      const asked = lockInfo(owner);
      const answer = await server.lock(asked);
      const holder = answer.status === 409 || answer.status === 423 ? heldBy(answer.text, asked) : undefined;
      // Our own: the first answer was lost.
      if (answer.status === 200 || holder?.id === owner.id)
        return { lease: await leaseOf(server, owner, answer) };
      if (holder !== undefined) return { heldBy: holder };
      if (answer.status === 404 || answer.status === 405 || answer.status === 501) {
        throw new BaseError(
          'not-readable',
          `${name} knows no ${server.lockMethod} (it answered ${answer.status}), and without a lock two runs could mix their states. ` +
            'For GitLab set KBSYNC_STATE_LOCK_ADDRESS, KBSYNC_STATE_LOCK_METHOD=POST and KBSYNC_STATE_UNLOCK_METHOD=DELETE.',
        );
      }
      throw unexpected(answer, 'the lock cannot be taken', 'not-readable');
    },
    unlock: async (id) => {
      const first = await server.unlock(JSON.stringify({ ID: id }), 'not-readable');
      if (isDone(first)) return true;
      if (first.status === 401 || first.status === 403 || first.status >= 500)
        throw unexpected(first, 'the lock cannot be taken away', 'not-writable');
      // A server may compare the whole lock, so it gets what it says of it.
      const holder = await server.holder();
      if (holder === undefined || heldBy(holder.text).id !== id) return false;
      const second = await server.unlock(holder.text, 'not-readable');
      if (isDone(second)) return true;
      throw unexpected(second, 'the lock cannot be taken away', 'not-writable');
    },
    close: () => options.send.close(),
  };
}

/** The lock that `granted` gave: its number, and the state as it is then. */
async function leaseOf(server: StateServer, owner: LockOwner, granted: Answer): Promise<Lease> {
  const { name, unexpected } = server;
  const info = lockInfo(owner);
  const number = fenceIn(granted);
  const before = await begun(server, number).catch(async (error: unknown) => {
    // Nobody else knows this lock's id yet, and a server without leases would keep it for ever.
    await server.unlock(info, 'not-readable').catch(() => undefined);
    throw error;
  });
  const fence = Math.max(number ?? 0, before.fence + 1);
  let { serial } = before;
  return {
    fence,
    leaseMs: leaseIn(granted.headers),
    document: before.document,
    write: async (document) => {
      const sent = { serial: serial + 1, fence, document };
      const answer = await server.put(documentText(sent), owner.id);
      if (answer?.status === 409 || answer?.status === 423 || answer?.status === 412)
        throw lost(name, answer);
      const isClear = answer !== undefined && answer.status < 500;
      if (isClear && !isDone(answer)) throw unexpected(answer, 'the state cannot be written', 'not-writable');
      // It may have been carried out or be on its way: only what is there now can say.
      if (!isClear && !isSame(await server.get(), sent)) {
        throw new BaseError(
          'not-writable',
          `${name} gave no answer to a write of the state (${answer === undefined ? 'the connection ended' : answer.status}), and does not show it. ` +
            'Nothing more is written in this run; run again.',
        );
      }
      serial += 1;
    },
    renew: async () => {
      const answer = await server.lock(info);
      // Another number: the lock was free and is taken anew, and somebody may have held it in between.
      const isOurs =
        answer.status === 200
          ? number !== undefined && fenceIn(answer) === number
          : heldBy(answer.text).id === owner.id;
      if (!isOurs) throw lost(name, answer);
    },
    release: async () => {
      const answer = await server.unlock(info, 'not-writable');
      // Somebody else's, or nobody's: it is not ours to give back.
      if (isDone(answer) || [404, 409, 412, 423].includes(answer.status)) return;
      throw unexpected(
        answer,
        `the lock cannot be given back (kbsync state unlock ${owner.id})`,
        'not-writable',
      );
    },
  };
}

/** The state at the begin of a lease, of a server that gives its lock to one run at a time. */
async function begun(server: StateServer, number: number | undefined): Promise<NumberedDocument> {
  // There are servers that know a lock by its ID alone, and give one to everybody.
  if (number === undefined && (await server.holder()) === undefined) {
    throw new BaseError(
      'not-readable',
      `${server.name} gave its lock to two at once, so two runs could mix their states. ` +
        'Use another server, or git, PostgreSQL or kbsync serve.',
    );
  }
  return server.get();
}

function lost(name: string, answer: Answer): BaseError {
  const { who } = heldBy(answer.text);
  return new BaseError(
    'locked',
    `${name}: this run's lock is lost; somebody took it away while the run was under way, or it ended.${who === undefined ? '' : ` It is held by ${who} now.`} Nothing more is written; run again.`,
  );
}

function isDone({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

function isSame(now: NumberedDocument, sent: NumberedDocument): boolean {
  return (
    now.serial === sent.serial &&
    now.fence === sent.fence &&
    now.document.state === sent.document.state &&
    now.document.journal === sent.document.journal
  );
}

/** RFC 4918, 10.7: `Timeout: Second-300`. A server that does not say so keeps the lock for ever. */
function leaseIn(headers: Headers): number | undefined {
  const seconds = numberIn(/^Second-(\d{1,9})$/i.exec(headers.get('timeout') ?? '')?.[1] ?? null);
  return seconds === undefined ? undefined : seconds * 1000;
}

/** The number of the lease, where the server has one. */
function fenceIn({ headers }: Answer): number | undefined {
  return numberIn(headers.get('kbsync-fence'));
}

function numberIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
