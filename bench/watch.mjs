// What watching costs: the real command, real files, the real service on a loopback socket.
// node bench/watch.mjs [--articles 1000] [--saves 200] [--storm 500] [--memory 10000]
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '1000' },
    saves: { type: 'string', default: '200' },
    storm: { type: 'string', default: '500' },
    memory: { type: 'string', default: '0' },
  },
});
const [articles, saves, storm, memory] = ['articles', 'saves', 'storm', 'memory'].map((name) =>
  Number(values[name]),
);
const bin = new URL('../dist/cli/bin.js', import.meta.url).pathname;
const cwd = await mkdtemp(join(tmpdir(), 'kbsync-bench-watch-'));
const children = [];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const file = (at) => join(cwd, `content/en/articles/part-${at % 20}/page-${at}.md`);
const text = (at, words) =>
  `---\ntitle: Page ${at}\n---\n\nAbout ${words}.\n\n${'Some more words to send. '.repeat(40)}\n`;

function start(args, env = {}) {
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: { ...process.env, ...env } });
  children.push(child);
  const run = { child, out: '' };
  child.stdout.on('data', (chunk) => (run.out += chunk));
  child.stderr.on('data', (chunk) => (run.out += chunk));
  run.until = async (pattern) => {
    while (!pattern.test(run.out)) {
      if (child.exitCode !== null) throw new Error(`ended: ${run.out.slice(-2000)}`);
      await pause(20);
    }
    return pattern.exec(run.out);
  };
  return run;
}

/** Sees every request at the moment it leaves, and hands it on. */
function proxyTo(target, seen) {
  return createServer((incoming, outgoing) => {
    seen.push({ method: incoming.method, atMs: performance.now() });
    const onward = request(
      new URL(incoming.url, target),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
}

const percentile = (numbers, share) =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1];
const memoryOf = async (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

try {
  for (let at = 0; at < articles; at += 1) {
    await mkdir(join(file(at), '..'), { recursive: true });
    await writeFile(file(at), text(at, 'nothing'));
  }
  const service = start(['serve', '--port', '0', '--key-file', 'key']);
  const [url] = await service.until(/http:\/\/127\.0\.0\.1:\d+/);
  await service.until(/key/);
  const seen = [];
  const proxy = proxyTo(url, seen);
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${proxy.address().port}`;
  const key = (await readFile(join(cwd, 'key'), 'utf8')).trim();
  const watch = start(['watch', '--base-url', baseUrl], { KBSYNC_API_KEY: key });
  await watch.until(/watching content/);
  await pause(1500);

  const quiet = async () => {
    for (let count = -1; count !== seen.length;) {
      count = seen.length;
      await pause(2000);
    }
  };
  const firstMs = [];
  let requests = 0;
  for (let save = 0; save < saves; save += 1) {
    const before = seen.length;
    const at = (save * 37) % articles;
    await writeFile(file(at), text(at, `save ${save}`));
    const savedMs = performance.now();
    while (seen.length < before + 2) await pause(2);
    firstMs.push(seen[before].atMs - savedMs);
    await pause(120);
    requests += seen.length - before;
  }
  console.log(
    `${articles} articles, ${saves} saves: request sent after the save median ${percentile(firstMs, 0.5).toFixed(0)} ms, p95 ${percentile(firstMs, 0.95).toFixed(0)} ms; ${(requests / saves).toFixed(2)} requests a save`,
  );

  if (storm > 0) {
    await quiet();
    const [before, lines] = [seen.length, watch.out.length];
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: Math.min(storm, articles) }, (_, at) => writeFile(file(at), text(at, 'a storm'))),
    );
    await quiet();
    const sent = seen.slice(before);
    console.log(
      `${Math.min(storm, articles)} files at once: ${sent.filter(({ method }) => method === 'POST').length} edits, ${sent.length} requests, ${((sent.at(-1).atMs - startMs) / 1000).toFixed(1)} s; said: ${watch.out.slice(lines).trim().replaceAll('\n', ' | ')}`,
    );
  }
  if (memory > 0) {
    const marks = [];
    for (let save = 0; save < memory; save += 1) {
      const before = seen.length;
      const at = save % articles;
      await writeFile(file(at), text(at, `memory ${save}`));
      while (seen.length < before + 2) await pause(1);
      if (save % Math.ceil(memory / 10) === Math.ceil(memory / 10) - 1)
        marks.push(Math.round(await memoryOf(watch.child.pid)));
    }
    console.log(`memory of the watch over ${memory} saves, MB after each tenth: ${marks.join(' ')}`);
  }
  proxy.closeAllConnections();
  proxy.close();
} finally {
  for (const child of children) child.kill('SIGTERM');
  await pause(500);
  await rm(cwd, { recursive: true, force: true });
}
