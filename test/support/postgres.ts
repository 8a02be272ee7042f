import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** A PostgreSQL server of its own in a temporary folder, reached over a Unix socket. */
export interface PostgresServer {
  readonly url: string;
  /** The address of a new, empty schema in it. */
  freshUrl(): Promise<string>;
  /** Deletes every row of a knowledge base, which costs a tenth of what a new schema does. */
  empty(url: string): Promise<void>;
  /** One statement, on a connection of its own. */
  run(text: string, url?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Ends the server: `fast` lets it write a checkpoint, `immediate` makes the next start recover from its log. */
  halt(how: 'fast' | 'immediate'): Promise<void>;
  start(settings?: readonly string[]): Promise<void>;
  /** Ends it and removes the folder. */
  remove(): Promise<void>;
}

const DEBIAN = '/usr/lib/postgresql';

/** Folder of `initdb` and `postgres`: what the environment names, else Debian's newest. */
function binaries(): string | undefined {
  const named = process.env['KBSYNC_POSTGRES_BIN'];
  if (named !== undefined) return named;
  if (!existsSync(DEBIAN)) return undefined;
  return readdirSync(DEBIAN)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/** Why there is no PostgreSQL to test with; undefined when there is one. Printed, so that a skipped test is seen. */
export function postgresMissing(): string | undefined {
  if (binaries() !== undefined) return undefined;
  const why = `no PostgreSQL: nothing at ${DEBIAN}/*/bin, and KBSYNC_POSTGRES_BIN is not set`;
  console.warn(`skipped, ${why}`);
  return why;
}

/** The server refuses to run as root; Debian's package brings a user, and `nobody` is everywhere. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  return uid > 0 ? { uid, gid } : { uid: 65_534, gid: 65_534 };
}

export async function startPostgres(): Promise<PostgresServer> {
  const bin = binaries();
  if (bin === undefined) throw new Error('no PostgreSQL here');
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-pg-'));
  const cluster = join(folder, 'cluster');
  mkdirSync(cluster, { mode: 0o700 });
  if (user !== undefined) for (const path of [folder, cluster]) chownSync(path, user.uid, user.gid);
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', cluster, '-U', 'kbsync', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'],
    { ...user, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const url = `postgres://kbsync@localhost/postgres?host=${encodeURIComponent(folder)}`;
  let server: ChildProcess | undefined;
  let schemas = 0;

  const run: PostgresServer['run'] = async (text, address = url) => {
    const client = new Client({ connectionString: address });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const halt: PostgresServer['halt'] = async (how) => {
    if (server === undefined) return;
    const exited = once(server, 'exit');
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    server = undefined;
    await exited;
  };
  const start: PostgresServer['start'] = async (settings = []) => {
    const flags = [
      'listen_addresses=',
      `unix_socket_directories=${folder}`,
      'shared_buffers=32MB',
      ...settings,
    ];
    server = spawn(join(bin, 'postgres'), ['-D', cluster, ...flags.flatMap((flag) => ['-c', flag])], {
      ...user,
      stdio: 'ignore',
    });
    for (;;) {
      const answers = spawnSync(join(bin, 'pg_isready'), ['-h', folder, '-q', '-t', '5']);
      if (answers.status === 0) return;
      if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
      await new Promise((resolve) => {
        setTimeout(resolve, 20); // pg_isready answers at once while nobody listens
      });
    }
  };
  await start();
  return {
    url,
    run,
    halt,
    start,
    async freshUrl() {
      schemas += 1;
      const name = `fresh_${schemas}`;
      await run(`create schema ${name}`);
      return `${url}&options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    async empty(address) {
      await run(
        `do $$ declare name text; begin
           set local session_replication_role = replica;
           for name in select table_name from information_schema.tables
             where table_schema = current_schema() and table_name <> 'kbsync_schema'
           loop execute format('delete from %I', name); end loop;
         end $$`,
        address,
      );
    },
    async remove() {
      await halt('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
