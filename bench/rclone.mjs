/** The same files through `rclone sync` into its own WebDAV server: what a general tool needs to find nothing to do. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './cases.mjs';
import { timed } from './processes.mjs';

/** A row as those of kbsync, or the reason why there is none. */
export async function measureRclone({ project, articles, runs }) {
  const version = spawnSync('rclone', ['version'], { encoding: 'utf8' });
  if (version.error !== undefined) return { skipped: 'rclone is not installed (apt-get install rclone)' };
  const name = version.stdout.split('\n')[0];
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-bench-rclone-'));
  const server = await serveWebdav(folder);
  try {
    const target = `:webdav,url="${server.url}",vendor=other:`;
    const sync = () =>
      clocked(['sync', join(project, 'content'), target, '--config', '/dev/null', '--checkers', '16']);
    await sync();
    const measured = [];
    for (let n = 0; n < runs; n++) measured.push(await sync());
    const wallMs = median(measured.map((run) => run.wallMs));
    return {
      case: `no-op, ${name}`,
      articles,
      runs,
      wallMs,
      cpuMs: median(measured.map((run) => run.cpuMs)),
    };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `rclone serve webdav` of the folder, when it answers. */
export async function serveWebdav(folder) {
  const port = await freePort();
  const served = ['serve', 'webdav', folder, '--addr', `127.0.0.1:${port}`, '--config', '/dev/null'];
  const server = spawn('rclone', served, { stdio: 'ignore' });
  const stop = async () => {
    const exited = once(server, 'exit');
    server.kill();
    await exited;
  };
  try {
    await untilOpen(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** The shell's clock, because a parent is not told what its child has used. */
async function clocked(args) {
  const script = 'TIMEFORMAT="%U %S"; time rclone "$@"';
  const { exit, wallMs, stderr } = await timed('bash', ['-c', script, 'bash', ...args]);
  if (exit !== 0) throw new Error(`rclone ended with ${exit}\n${stderr}`);
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wallMs, cpuMs: (user + system) * 1000 };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function untilOpen(port) {
  for (let tries = 0; tries < 100; tries++) {
    try {
      await fetch(`http://127.0.0.1:${port}/`);
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  throw new Error('rclone serve webdav did not start');
}
