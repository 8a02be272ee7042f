import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { realWorld } from '../../src/cli/world.ts';
import { createProgram } from '../../src/cli/program.ts';

const world = realWorld();
const root = join(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly command?: readonly string[];
        readonly volumes?: readonly string[];
        readonly depends_on?: object;
      }
    >
  >;
  readonly volumes: object;
}
const compose = load(text('compose.yaml'), { schema: CORE_SCHEMA }) as Compose;

/** The flags that a command line of ours may carry, by its words: `serve keys create`. */
function flagsOf(words: readonly string[]): ReadonlySet<string> {
  let command = createProgram(world, () => undefined);
  for (const word of words) {
    const inner = command.commands.find((one) => one.name() === word);
    if (inner === undefined) break;
    command = inner;
  }
  return new Set(command.options.map((option) => option.long ?? ''));
}

function unknownFlags(line: readonly string[]): readonly string[] {
  const known = flagsOf(line);
  return line.filter((word) => word.startsWith('--') && !known.has(word));
}

describe('what the service is shipped with', () => {
  test('compose.yaml has two replicas, a database and a proxy, and starts them with flags that there are', () => {
    expect(Object.keys(compose.services)).toEqual(['postgres', 'kbsync-a', 'kbsync-b', 'proxy']);
    for (const replica of ['kbsync-a', 'kbsync-b']) {
      const command = compose.services[replica]?.command ?? [];
      expect(command.slice(0, 1)).toEqual(['serve']);
      expect(unknownFlags(command)).toEqual([]);
      expect(command[command.indexOf('--port') + 1]).toBe('4000');
    }
    expect(compose.volumes).toHaveProperty('postgres');
  });

  test('the proxy sends to the replicas, on their port, and never sends a request twice', () => {
    const nginx = text('deploy/nginx.conf');
    const upstreams = [...nginx.matchAll(/server ([\w-]+):(\d+)/g)].map(([, host, port]) => [host, port]);
    expect(upstreams).toEqual([
      ['kbsync-a', '4000'],
      ['kbsync-b', '4000'],
    ]);
    expect(nginx.match(/proxy_next_upstream[^;]*;/g)).toEqual(['proxy_next_upstream off;']);
    expect(nginx.split('{').length).toBe(nginx.split('}').length);
    const mounted = compose.services['proxy']?.volumes?.[0]?.split(':')[0];
    expect(text(mounted ?? '')).toBe(nginx);
  });

  test('the image runs as nobody special, with flags that there are, and is looked after', () => {
    const dockerfile = text('Dockerfile');
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as readonly string[];
    expect(command[0]).toBe('serve');
    expect(unknownFlags(command)).toEqual([]);
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]*127\.0\.0\.1:4000\/healthz/m);
    expect(dockerfile).toContain(`EXPOSE ${command[command.indexOf('--port') + 1]}`);
    const bin = (JSON.parse(text('package.json')) as { bin: { kbsync: string } }).bin.kbsync;
    expect(dockerfile).toContain(`/app/${bin} /usr/local/bin/kbsync`);
    expect(text('.dockerignore').split('\n')).toContain('node_modules');
  });

  test('the systemd unit starts it with flags that there are, and waits longer than it drains', () => {
    const unit = text('deploy/kbsync.service');
    const line = /^ExecStart=\/usr\/bin\/kbsync (.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
    expect(line[0]).toBe('serve');
    expect(unknownFlags(line)).toEqual([]);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(30);
  });

  test('every recipe says where readers find it', () => {
    for (const file of [
      'compose.yaml',
      'Dockerfile',
      'deploy/kbsync.service',
      'docs/operations/service.md',
    ]) {
      expect([file, text(file)]).toEqual([file, expect.stringContaining('KBSYNC_SITE_URL')]);
    }
  });

  test('every command and flag that docs/operations/service.md names is there', () => {
    const lines = [...text('docs/operations/service.md').matchAll(/`kbsync (serve[^`]*)`/g)].map(
      ([, line]) => line ?? '',
    );
    expect(lines.length).toBeGreaterThan(9);
    expect(lines.flatMap((line) => unknownFlags(line.split(' ')).map((flag) => `${line}: ${flag}`))).toEqual(
      [],
    );
    const flags = [...text('docs/operations/service.md').matchAll(/`(--[\w-]+)/g)].map(
      ([, flag]) => flag ?? '',
    );
    const known = new Set(
      ['serve', 'serve audit', 'serve keys create', 'serve files sweep'].flatMap((words) => [
        ...flagsOf(words.split(' ')),
      ]),
    );
    expect(flags.filter((flag) => !known.has(flag))).toEqual([]);
  });
});
