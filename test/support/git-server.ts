import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface GitServer {
  /** `http://127.0.0.1:4321/` */
  readonly url: string;
  /** Of one repository `acme/docs.git`. */
  readonly bare: string;
  git(...args: readonly string[]): string;
  close(): Promise<void>;
}

/**
 * A git server on a loopback socket: git's own `http-backend`, as web servers run it. Everybody may read; who writes needs the
 * token as a password, as on the hosts of repositories.
 */
export async function gitServer(token: string): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'kbsync-git-server-'));
  const bare = join(root, 'acme/docs.git');
  execFileSync('git', ['init', '-q', '-b', 'main', '--bare', bare]);
  execFileSync('git', ['config', 'uploadpack.allowAnySHA1InWant', 'true'], { cwd: bare });
  const server = createServer((request, response) => answer(request, response, { root, token }));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    bare,
    git: (...args) => execFileSync('git', args, { cwd: bare, encoding: 'utf8' }).trim(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** One CGI call; see git-http-backend(1) and RFC 3875. */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { root, token }: { readonly root: string; readonly token: string },
): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://git');
  const isWrite = `${pathname}${search}`.includes('git-receive-pack');
  const password = /:(.*)$/.exec(
    Buffer.from((request.headers.authorization ?? '').replace(/^basic /i, ''), 'base64').toString(),
  )?.[1];
  if (isWrite && password !== token) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return;
  }
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method ?? 'GET',
    ...(isWrite ? { REMOTE_USER: 'kbsync' } : {}),
  };
  for (const [header, name] of [
    ['content-type', 'CONTENT_TYPE'],
    ['content-encoding', 'HTTP_CONTENT_ENCODING'],
    ['git-protocol', 'GIT_PROTOCOL'],
  ] as const) {
    const value = request.headers[header];
    if (typeof value === 'string') env[name] = value;
  }
  const child = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.on('close', () => {
    const said = Buffer.concat(parts);
    const end = said.indexOf('\r\n\r\n');
    const headers = said
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(/: (.*)/s, 2) as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1];
    response.writeHead(
      Number(status?.slice(0, 3) ?? 200),
      Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
    );
    response.end(said.subarray(end + 4));
  });
}
