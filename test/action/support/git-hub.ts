import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ForgeStandIn } from '../../forge/support/forge-stand-in.ts';

export interface Comment {
  readonly id: number;
  /** The number of its pull request. */
  readonly issue: number;
  body: string;
}

/** The calls of GitHub's API that the action makes, over a loopback socket. */
export interface GitHub {
  readonly url: string;
  /** Of all pull requests, as they were written. */
  readonly comments: Comment[];
  /** `GET /repos/acme/docs/issues/7/comments?per_page=100&page=1` */
  readonly asked: string[];
  /** The token may do nothing. */
  denies: boolean;
  /** Who answers the calls for pull requests. */
  pulls: ForgeStandIn | undefined;
  close(): Promise<unknown>;
}

/** Comments come in pages of 100. */
export async function gitHub(token: string): Promise<GitHub> {
  const comments: Comment[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += String(part)));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://gh');
      asked.push(`${request.method} ${url.pathname}${url.search}`);
      const answer = (status: number, value: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(value));
      };
      if (said.pulls !== undefined && /\/pulls(?:\/\d+)?$/.test(url.pathname)) {
        const { method = 'GET', headers } = request;
        const sent = new Request(url, {
          method,
          headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
          ...(text === '' ? {} : { body: text }),
        });
        void said.pulls.send(sent).then(async (forge) => answer(forge.status, await forge.json()));
        return;
      }
      if (said.denies || request.headers.authorization !== `Bearer ${token}`) return answer(403, {});
      const body = (): string => (JSON.parse(text) as { readonly body: string }).body;
      const issue = Number(/\/issues\/(\d+)\/comments$/.exec(url.pathname)?.[1]);
      if (request.method === 'GET') {
        const from = (Number(url.searchParams.get('page')) - 1) * 100;
        return answer(200, comments.filter((one) => one.issue === issue).slice(from, from + 100));
      }
      if (request.method === 'POST') {
        comments.push({ id: comments.length + 1, issue, body: body() });
        return answer(201, comments.at(-1));
      }
      const id = Number(url.pathname.split('/').at(-1));
      const comment = comments.find((one) => one.id === id);
      if (comment === undefined) return answer(404, {});
      comment.body = body();
      return answer(200, comment);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const said: GitHub = {
    url: `http://127.0.0.1:${port}`,
    comments,
    asked,
    denies: false,
    pulls: undefined,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
  return said;
}
