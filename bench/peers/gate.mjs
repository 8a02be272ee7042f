/**
 * What every server does on a bad day, the same for all of them: stands in front of one and
 *   limit   lets 15 requests a second begin and answers the rest with 429 and Retry-After: 1
 *   lose    passes each tenth create on, and answers 503 although the server has carried it out
 *
 *   node gate.mjs URL limit|lose CREATE      CREATE is matched against `METHOD /path`; tells {url}
 *
 * Asked for `count` it tells what it has counted; after `recover` it passes everything.
 */
import { createServer, request } from 'node:http';
import { Agent } from 'node:http';

const [target, mode, create] = process.argv.slice(2);
const IS_CREATE = new RegExp(create);
const PER_SECOND = 15;
const LOST_EACH = 10;
const agent = new Agent({ keepAlive: true });
const counted = { requests: 0, refused: 0, creates: 0, lost: 0 };
const began = [];
let hasRecovered = false;

const server = createServer((asked, answer) => {
  counted.requests++;
  if (mode === 'limit' && !hasRecovered && isOverLimit()) return refuse(asked, answer);
  const isCreate = IS_CREATE.test(`${asked.method} ${asked.url.split('?')[0]}`);
  const isLost = mode === 'lose' && !hasRecovered && isCreate && ++counted.creates % LOST_EACH === 0;
  const { method, headers, url } = asked;
  const passed = request(new URL(url, target), { method, headers, agent }, (reply) => {
    if (!isLost || reply.statusCode >= 300) {
      answer.writeHead(reply.statusCode, reply.headers);
      reply.pipe(answer);
      return;
    }
    counted.lost++;
    reply.resume().on('end', () => say(answer, 503, {}, 'the server is not available'));
  });
  passed.on('error', () => answer.destroy());
  asked.pipe(passed);
});

/** A window that slides: at most 15 began in any one second. */
function isOverLimit() {
  const now = performance.now();
  while (began.length > 0 && now - began[0] >= 1000) began.shift();
  if (began.length >= PER_SECOND) return true;
  began.push(now);
  return false;
}

/** Contentful's API names the time in a header of its own, and its tool reads that one. */
function refuse(asked, answer) {
  counted.refused++;
  asked.resume().on('end', () => {
    say(answer, 429, { 'retry-after': '1', 'x-contentful-ratelimit-reset': '1' }, 'too many requests');
  });
}

function say(answer, status, headers, message) {
  answer.writeHead(status, { ...headers, 'content-type': 'application/json' });
  answer.end(JSON.stringify({ success: false, status, message }));
}

server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
process.on('message', (asked) => {
  hasRecovered ||= asked === 'recover';
  process.send(counted);
});
process.on('disconnect', () => process.exit());
