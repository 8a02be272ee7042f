import { spawnSync } from 'node:child_process';
import type { Send } from '../../../src/remote/remote.ts';

export interface StandInRequest {
  readonly number: number;
  readonly from: string;
  readonly into: string;
  readonly title: string;
  body: string;
  state: 'open' | 'closed' | 'merged';
}

/**
 * The calls of a forge's API that kbsync makes, over a bare repository of git, with what the forges do of themselves: a
 * branch that the other one contains is merged, a request whose branch is gone is closed, a second request for a branch
 * is refused, and so is one without commits.
 */
export interface ForgeStandIn {
  readonly requests: StandInRequest[];
  /** `POST /repos/acme/docs/pulls` */
  readonly asked: string[];
  readonly send: Send;
  /** What a job's variables say. */
  readonly env: (commit: string) => Readonly<Record<string, string>>;
}

export const TOKEN = 'forge-0123456789abcdef';

export function gitHubStandIn(bare: string, origin = 'https://api.git.test'): ForgeStandIn {
  const forge = requestsOver(bare);
  const shown = ({ number, state, body, from, into }: StandInRequest): object => ({
    number,
    state: state === 'open' ? 'open' : 'closed',
    merged_at: state === 'merged' ? '2026-11-21T05:17:03Z' : null,
    body,
    html_url: `https://git.test/acme/docs/pull/${number}`,
    head: { ref: from, repo: { full_name: 'acme/docs' } },
    base: { ref: into },
  });
  return {
    ...forge,
    send: answering(forge, (request) => request.headers.get('authorization') === `Bearer ${TOKEN}`, {
      path: '/repos/acme/docs/pulls',
      list: (query) => {
        const isAsked = ({ from, into }: StandInRequest): boolean =>
          query.get('head') === `acme:${from}` && query.get('base') === into && query.get('state') === 'all';
        return forge.requests.filter(isAsked).toReversed().map(shown);
      },
      opened: ({ title, body, head, base }) => ({ title, body, from: head, into: base }),
      edited: ({ body, state }) => ({ body, isClosed: state === 'closed' }),
      editMethod: 'PATCH',
      shown,
    }),
    env: (commit) => ({
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: origin,
      GITHUB_REPOSITORY: 'acme/docs',
      GITHUB_REF_TYPE: 'branch',
      GITHUB_REF_NAME: 'main',
      GITHUB_EVENT_NAME: 'schedule',
      GITHUB_SHA: commit,
      GITHUB_TOKEN: TOKEN,
    }),
  };
}

export function gitLabStandIn(bare: string, origin = 'https://gitlab.test'): ForgeStandIn {
  const forge = requestsOver(bare);
  const shown = ({ number, state, body }: StandInRequest): object => ({
    iid: number,
    state: state === 'open' ? 'opened' : state,
    description: body,
    web_url: `https://gitlab.test/acme/docs/-/merge_requests/${number}`,
    source_project_id: 42,
    target_project_id: 42,
  });
  return {
    ...forge,
    send: answering(forge, (request) => request.headers.get('private-token') === TOKEN, {
      path: '/api/v4/projects/42/merge_requests',
      list: (query) => {
        const isAsked = ({ from, into }: StandInRequest): boolean =>
          query.get('source_branch') === from && query.get('target_branch') === into;
        return forge.requests.filter(isAsked).toReversed().map(shown);
      },
      opened: ({ title, description, source_branch, target_branch }) => ({
        title,
        body: description,
        from: source_branch,
        into: target_branch,
      }),
      edited: ({ description, state_event }) => ({ body: description, isClosed: state_event === 'close' }),
      editMethod: 'PUT',
      shown,
    }),
    env: (commit) => ({
      GITLAB_CI: 'true',
      CI_API_V4_URL: `${origin}/api/v4`,
      CI_PROJECT_ID: '42',
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_SHA: commit,
      CI_PIPELINE_SOURCE: 'schedule',
      KBSYNC_FORGE_TOKEN: TOKEN,
    }),
  };
}

type Body = Readonly<Record<string, string | undefined>>;

interface Api {
  readonly path: string;
  readonly list: (query: URLSearchParams) => readonly object[];
  readonly opened: (body: Body) => Readonly<Record<'title' | 'body' | 'from' | 'into', string | undefined>>;
  readonly edited: (body: Body) => { readonly body: string | undefined; readonly isClosed: boolean };
  readonly editMethod: 'PATCH' | 'PUT';
  readonly shown: (request: StandInRequest) => object;
}

interface Requests extends Pick<ForgeStandIn, 'requests' | 'asked'> {
  /** What merges and lost branches have made of the requests. */
  readonly look: () => void;
  readonly git: (...args: readonly string[]) => { readonly isOk: boolean; readonly stdout: string };
}

function requestsOver(bare: string): Requests {
  const requests: StandInRequest[] = [];
  const git: Requests['git'] = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: bare, encoding: 'utf8' });
    return { isOk: status === 0, stdout };
  };
  const look = (): void => {
    for (const request of requests.filter(({ state }) => state === 'open')) {
      if (git('merge-base', '--is-ancestor', request.from, request.into).isOk) request.state = 'merged';
      else if (!git('rev-parse', '--verify', request.from).isOk) request.state = 'closed';
    }
  };
  return { requests, asked: [], look, git };
}

function answering(
  { requests, asked, look, git }: Requests,
  mayAsk: (request: Request) => boolean,
  api: Api,
): Send {
  const answer = (status: number, value: unknown): Response => Response.json(value, { status });
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    asked.push(`${request.method} ${pathname}`);
    if (!mayAsk(request)) return answer(401, { message: 'Bad credentials' });
    look();
    if (request.method === 'GET' && pathname === api.path) return answer(200, api.list(searchParams));
    // Both forges take JSON objects only.
    const sent = (await request.json()) as Body;
    if (request.method === 'POST' && pathname === api.path) {
      const { title = '', body = '', from = '', into = '' } = api.opened(sent);
      const isDouble = requests.some((one) => one.state === 'open' && one.from === from && one.into === into);
      const commits = git('rev-list', `${into}..${from}`);
      if (isDouble || title === '' || commits.stdout === '')
        return answer(422, { message: 'Validation Failed', errors: [{ message: 'not possible' }] });
      const made: StandInRequest = { number: requests.length + 1, from, into, title, body, state: 'open' };
      requests.push(made);
      return answer(201, api.shown(made));
    }
    const known = requests.find(({ number }) => `${api.path}/${number}` === pathname);
    if (request.method !== api.editMethod || known === undefined)
      return answer(404, { message: 'Not Found' });
    const { body, isClosed } = api.edited(sent);
    if (body !== undefined) known.body = body;
    if (isClosed) known.state = 'closed';
    return answer(200, api.shown(known));
  };
}
