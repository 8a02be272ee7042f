import { z } from 'zod';
import type { Env } from '../machine/machine.ts';
import { ask } from './ask.ts';
import type { Branches, ChangeRequest, Forge, ForgeJob } from './forge.ts';

const PAGE = 100;
const PAGES_MAX = 10;

const Pull = z.object({
  number: z.int(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullish(),
  body: z.string().nullish(),
  html_url: z.string(),
  head: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
  base: z.object({ ref: z.string() }),
});

/**
 * A job of GitHub Actions, by the variables of docs.github.com/actions/reference/variables-reference. Gitea and Forgejo
 * set the same ones, and their API has the same three calls.
 */
export function gitHub(env: Env): ForgeJob {
  const api = (env['GITHUB_API_URL'] ?? 'https://api.github.com').replace(/(?<!\/)\/+$/, '');
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  const token = env['KBSYNC_FORGE_TOKEN'] ?? env['GITHUB_TOKEN'] ?? '';
  return {
    name: 'GitHub',
    origin: new URL(api).origin,
    branch: env['GITHUB_REF_TYPE'] === 'tag' ? undefined : env['GITHUB_REF_NAME'],
    commit: env['GITHUB_SHA'],
    isForRequest: env['GITHUB_EVENT_NAME']?.startsWith('pull_request') === true,
    missing: token === '' ? 'GITHUB_TOKEN is not set' : undefined,
    connect: (send): Forge => {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'kbsync',
      };
      const asking = { send, api, headers, forge: 'GitHub' };
      const path = `/repos/${repository}/pulls`;
      return {
        list: async ({ from, into }) => {
          const found: ChangeRequest[] = [];
          const head = `${repository.split('/')[0] ?? ''}:${from}`;
          for (let page = 1; page <= PAGES_MAX; page += 1) {
            const query = new URLSearchParams({
              state: 'all',
              head,
              base: into,
              sort: 'created',
              direction: 'desc',
              per_page: String(PAGE),
              page: String(page),
            }).toString();
            const pulls = await ask(asking, { method: 'GET', path: `${path}?${query}` }, z.array(Pull));
            found.push(...pulls.filter((pull) => isOwn(pull, repository, { from, into })).map(requestOf));
            if (pulls.length < PAGE) break;
          }
          return found;
        },
        open: async ({ from, into }, { title, body }) =>
          requestOf(
            await ask(asking, { method: 'POST', path, body: { title, body, head: from, base: into } }, Pull),
          ),
        edit: async ({ number }, change) => {
          await ask(asking, { method: 'PATCH', path: `${path}/${number}`, body: change }, z.unknown());
        },
      };
    },
  };
}

/** Not every server knows `head` and `base` as filters. */
function isOwn({ head, base }: z.infer<typeof Pull>, repository: string, { from, into }: Branches): boolean {
  const isHere = head.repo?.full_name.toLowerCase() === repository.toLowerCase();
  return isHere && head.ref === from && base.ref === into;
}

function requestOf({ number, state, merged_at, body, html_url }: z.infer<typeof Pull>): ChangeRequest {
  return { number, state: (merged_at ?? null) === null ? state : 'merged', body: body ?? '', url: html_url };
}
