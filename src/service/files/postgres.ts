import type { Store } from '../store/store.ts';
import type { FileBytes } from './bytes.ts';

/** Files in the PostgreSQL database itself, so all replicas have them and a dump is whole. */
export function filesInPostgres(store: Store): FileBytes {
  return {
    async write(digest, bytes) {
      await store.write((sql) =>
        sql.run(
          `insert into file_bytes (digest, bytes) values (?, decode(?, 'base64')) on conflict (digest) do nothing`,
          digest,
          bytes.toString('base64'),
        ),
      );
    },
    async read(digest, at, length) {
      const row = await store.read((sql) =>
        sql.get<{ readonly piece: string }>(
          `select encode(substring(bytes from cast(? as integer) for cast(? as integer)), 'base64') as piece
           from file_bytes where digest = ?`,
          at + 1,
          length,
          digest,
        ),
      );
      return row === undefined ? undefined : Buffer.from(row.piece, 'base64');
    },
    async remove(digest) {
      await store.write((sql) =>
        sql.run(
          'delete from file_bytes where digest = ? and not exists (select 1 from files where files.digest = ?)',
          digest,
          digest,
        ),
      );
    },
  };
}
