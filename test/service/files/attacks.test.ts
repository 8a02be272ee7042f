import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesOnDisk, openSqlite } from '../../../src/service/index.ts';
import { longestAllowedPauseMs, longestPause } from '../../support/loop-pause.ts';
import { digestOf } from '../support/pictures.ts';
import { rig, type Rig } from '../support/rig.ts';

const PAUSE_MS_MAX = longestAllowedPauseMs();
const SVG_BYTES = 2 * 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'kbsync-files-'));

let service: Rig;
beforeAll(async () => {
  const bytes = filesOnDisk(join(folder, 'files'));
  service = await rig(openSqlite({ file: ':memory:', defaultLanguage: 'en' }), { files: { bytes } });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function put(body: Buffer, name: string): Promise<{ readonly status: number; readonly text: string }> {
  const request = new Request(`http://kb.test/api/v2/files/${digestOf(body)}?name=${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.key}` },
    body: new Uint8Array(body),
  });
  const { value, pauseMs } = await longestPause(async () => {
    const response = await service.send(request);
    return { status: response.status, text: await response.text() };
  });
  expect(pauseMs).toBeLessThan(PAUSE_MS_MAX);
  return value;
}

const full = (piece: string, end = ''): Buffer => {
  const start = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">';
  return Buffer.from(
    `${start}${piece.repeat(Math.floor((SVG_BYTES - 200 - end.length) / piece.length))}${end}</svg>`,
  );
};

// What a drawing program writes, and what was made to take long.
test.each([
  ['many elements', full('<path d="M0 0h1v1z"/>'), 201],
  ['elements that go', full('<b a="1">x</b>'), 201],
  ['many attributes', full('<g onload="a()" style="fill:url(#a)"/>'), 201],
  ['one long style', full('/*', '<style>@import "x"</style>'), 201],
  ['styles', full('<style>a{fill:url(x)}</style>'), 201],
  ['characters to escape', full('&lt;<a/>'), 201],
  ['open elements', full('<g>'), 413],
])('the largest drawing keeps nobody waiting: %s', async (_, body, status) => {
  expect(await put(body, 'a.svg')).toMatchObject({ status });
});

test.each([
  ['letters of one byte', 'abc d\n'],
  ['letters of three bytes', '中文'],
])('neither does the largest text of %s', async (_, piece) => {
  const body = Buffer.alloc(25 * 1024 * 1024 - ((25 * 1024 * 1024) % Buffer.byteLength(piece)), piece);
  expect(await put(body, 'a.txt')).toMatchObject({ status: 201 });
});

test('a drawing that was cleaned in a thread is the one that is kept', async () => {
  const body = full('<path d="M0 0h1v1z"/>', '<script>alert(1)</script><g onclick="a()"/>');
  expect((await put(body, 'b.svg')).status).toBe(201);
  const read = await service.send(new Request(`http://kb.test/files/${digestOf(body)}/b.svg`));
  const text = await read.text();
  expect(text).not.toMatch(/script|onclick/);
  expect(text.match(/<path d="M0 0h1v1z">/g)?.length).toBeGreaterThan(50_000);
});
