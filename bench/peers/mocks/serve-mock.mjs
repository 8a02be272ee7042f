/**
 * A mock of a service's API in a process of its own: answers from memory at once; the network in front of it adds the
 * time. A request outside the routes is answered with 404 and told: a mock that lacks something is noticed.
 */
import { createServer } from 'node:http';

const unknown = new Set();

/**
 * @param routes `[method, path, answer]`; `:name` in the path stands for one segment; `answer({params, query, body,
 *   headers})` gives `{status, body, headers}`
 * @param pages what is stored, as `[{title, body}]`; asked for after each case
 */
export function serveMock(routes, pages) {
  const table = routes.map(([method, path, answer]) => ({ method, answer, pattern: patternOf(path) }));
  const server = createServer((asked, reply) => {
    const chunks = [];
    asked.on('data', (chunk) => chunks.push(chunk));
    asked.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { status = 200, body, headers = {} } = answered(table, asked, text);
      reply.writeHead(status, { 'content-type': 'application/json', ...headers });
      reply.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  server.keepAliveTimeout = 65_000;
  process.on('message', () => process.send(pages()));
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
}

function answered(table, asked, text) {
  const url = new URL(asked.url, 'http://127.0.0.1');
  for (const { method, pattern, answer } of table) {
    const found = method === asked.method ? pattern.exec(url.pathname) : null;
    if (found === null) continue;
    const isJson = text !== '' && /json/.test(asked.headers['content-type'] ?? '');
    return answer({
      params: Object.fromEntries(
        Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
      ),
      query: url.searchParams,
      headers: asked.headers,
      body: isJson ? JSON.parse(text) : text,
    });
  }
  const what = `${asked.method} ${url.pathname.replace(/\d+/g, 'N')}`;
  if (!unknown.has(what)) console.error(`the mock has no ${what}`);
  unknown.add(what);
  return { status: 404, body: { message: `the mock has no ${what}` } };
}

function patternOf(path) {
  return new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}
