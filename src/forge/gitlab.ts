import { z } from 'zod';
import type { Env } from '../machine/machine.ts';
import { ask } from './ask.ts';
import type { ChangeRequest, Forge, ForgeJob } from './forge.ts';

const Merge = z.object({
  iid: z.int(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  description: z.string().nullish(),
  web_url: z.string(),
  source_project_id: z.int().nullish(),
  target_project_id: z.int().nullish(),
});

/** A job of GitLab CI, by the variables of docs.gitlab.com/ci/variables/predefined_variables. Its job token may not open merge requests. */
export function gitLab(env: Env): ForgeJob {
  const api = (env['CI_API_V4_URL'] ?? 'https://gitlab.com/api/v4').replace(/(?<!\/)\/+$/, '');
  const token = env['KBSYNC_FORGE_TOKEN'] ?? '';
  return {
    name: 'GitLab',
    origin: new URL(api).origin,
    branch: env['CI_COMMIT_BRANCH'],
    commit: env['CI_COMMIT_SHA'],
    isForRequest: env['CI_PIPELINE_SOURCE'] === 'merge_request_event',
    missing:
      token === ''
        ? 'KBSYNC_FORGE_TOKEN is not set: a project access token with the scopes api and write_repository'
        : undefined,
    connect: (send): Forge => {
      const headers = { 'private-token': token, accept: 'application/json', 'user-agent': 'kbsync' };
      const asking = { send, api, headers, forge: 'GitLab' };
      const path = `/projects/${encodeURIComponent(env['CI_PROJECT_ID'] ?? '')}/merge_requests`;
      return {
        list: async ({ from, into }) => {
          const query = new URLSearchParams({
            state: 'all',
            source_branch: from,
            target_branch: into,
            order_by: 'created_at',
            sort: 'desc',
            per_page: '100',
          }).toString();
          const merges = await ask(asking, { method: 'GET', path: `${path}?${query}` }, z.array(Merge));
          return merges
            .filter(({ source_project_id, target_project_id }) => source_project_id === target_project_id)
            .map(requestOf);
        },
        open: async ({ from, into }, { title, body }) => {
          const wanted = { source_branch: from, target_branch: into, title, description: body };
          return requestOf(await ask(asking, { method: 'POST', path, body: wanted }, Merge));
        },
        edit: async ({ number }, { body, state }) => {
          const change = { description: body, ...(state === undefined ? {} : { state_event: 'close' }) };
          await ask(asking, { method: 'PUT', path: `${path}/${number}`, body: change }, z.unknown());
        },
      };
    },
  };
}

function requestOf({ iid, state, description, web_url }: z.infer<typeof Merge>): ChangeRequest {
  const known = { opened: 'open', locked: 'open', closed: 'closed', merged: 'merged' } as const;
  return { number: iid, state: known[state], body: description ?? '', url: web_url };
}
