import { createHmac, timingSafeEqual } from 'node:crypto';
import { placeOf } from '../settings/repository.ts';
import type { KnowledgeBase } from '../settings/settings.ts';

export interface HookOptions {
  readonly secret: string;
  readonly bases: readonly KnowledgeBase[];
  readonly ask: (base: KnowledgeBase) => Promise<void>;
}

/** GitHub sends up to 25 MB, of pushes with thousands of commits; the schedule brings those. */
const BODY_BYTES_MAX = 5 * 2 ** 20;

/**
 * Takes pushes of GitHub, GitLab, Gitea and Forgejo at `/hook`, and signed requests of anybody at `/hook/NAME`. Nothing is read
 * out of a body before its signature is right.
 */
export function createHook({ secret, bases, ask }: HookOptions): {
  readonly fetch: (request: Request) => Promise<Response>;
} {
  return {
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const [, path, name] = /^\/(hook)(?:\/([a-z0-9-]+))?$/.exec(pathname) ?? [];
      if (path === undefined) return answer(404, 'pushes are taken at /hook');
      if (request.method !== 'POST') return answer(405, 'a push is a POST', { allow: 'POST' });
      const body = await readBody(request);
      if (body === undefined) return answer(413, `the body is longer than ${BODY_BYTES_MAX} bytes`);
      if (!isSigned(request.headers, body, secret)) return answer(401, 'the signature is missing or wrong');
      const wanted =
        name === undefined ? pushedBases(body, bases) : bases.filter((base) => base.name === name);
      if (wanted === undefined) return answer(400, 'the body is no push in JSON');
      if (name !== undefined && wanted.length === 0) return answer(404, 'there is no such knowledge base');
      await Promise.all(wanted.map(ask));
      return Response.json({ success: true, runs: wanted.map((base) => base.name) }, { status: 202 });
    },
  };
}

/** At most the allowed bytes, whatever the length in the header says. */
async function readBody(request: Request): Promise<Buffer | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_BYTES_MAX) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** HMAC-SHA256 of the body (GitHub, Gitea, Forgejo), or the secret itself in a header (GitLab). */
function isSigned(headers: Headers, body: Buffer, secret: string): boolean {
  const made = createHmac('sha256', secret).update(body).digest('hex');
  const given =
    headers.get('x-hub-signature-256')?.replace(/^sha256=/, '') ?? headers.get('x-gitea-signature');
  if (given !== null) return isSame(given, made);
  const token = headers.get('x-gitlab-token');
  return token !== null && isSame(token, secret);
}

/** In constant time; both sides are hashed first, so not even the length shows. */
function isSame(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}

/** The knowledge bases of the pushed repository and branch; all of the repository if the body names no branch. */
function pushedBases(body: Buffer, bases: readonly KnowledgeBase[]): readonly KnowledgeBase[] | undefined {
  let push: unknown;
  try {
    push = JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof push !== 'object' || push === null) return undefined;
  const { ref, repository, project } = push as Readonly<Record<string, unknown>>;
  const places = new Set([...addressesIn(repository), ...addressesIn(project)].map(placeOf));
  const pushed = typeof ref === 'string' ? ref.replace(/^refs\/(?:heads|tags)\//, '') : undefined;
  return bases.filter(
    (base) => places.has(placeOf(base.repository)) && (pushed === undefined || pushed === base.ref),
  );
}

const ADDRESSES = [
  'clone_url',
  'ssh_url',
  'html_url',
  'git_url',
  'git_http_url',
  'git_ssh_url',
  'web_url',
  'url',
];

function addressesIn(repository: unknown): readonly string[] {
  if (typeof repository !== 'object' || repository === null) return [];
  const fields = repository as Readonly<Record<string, unknown>>;
  return ADDRESSES.map((field) => fields[field]).filter((value) => typeof value === 'string');
}

function answer(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ success: false, message }, { status, headers });
}
