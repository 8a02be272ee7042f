import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../../../cli/support/fake-world.ts';
import { siteOf, type Site } from '../../../cli/support/site.ts';

const FILE = 'content/en/articles/start.md';

const TEXT = `---
title: Start
---
First words with **bold**.

1. One
2. Two

| a | b |
|---|---|
| 1 | *2* |

\`\`\`js
const x = 1;
\`\`\`

Last words.
`;

let world: FakeWorld;
let site: Site;
beforeEach(async () => {
  world = await fakeWorld({ [FILE]: TEXT });
  site = siteOf(world);
});
afterEach(() => world.close());

/** As editors of rich text store what they are sent: paragraphs in items and cells, no comments, no classes. */
function rich(html: string): string {
  return html
    .replaceAll(/\s*<!--[\s\S]*?-->/g, '')
    .replaceAll(/ class="[^"]*"/g, '')
    .replaceAll(/<(li|td|th)>((?:(?!<\/\1>|<p>)[\s\S])*)<\/\1>/g, '<$1><p>$2</p></$1>')
    .replaceAll(/<(td|th)>/g, '<$1 colspan="1" rowspan="1">');
}

function storesRichText(rewrite: (html: string) => string): FakeWorld['wrap'] {
  return (send) => async (request) => {
    const text = request.method === 'GET' ? undefined : await request.text();
    const body = text === undefined ? undefined : JSON.parse(text);
    if (typeof body?.content === 'string') body.content = rewrite(body.content);
    const { method, headers } = request;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send(new Request(request.url, { method, headers, ...sent }));
    const shown = new Headers(answer.headers);
    for (const name of ['kb-capabilities', 'kb-last-edited', 'etag']) shown.delete(name);
    return new Response(await answer.text(), { status: answer.status, headers: shown });
  };
}

const fileText = (): Promise<string> => readFile(join(world.cwd, FILE), 'utf8');

async function run(...argv: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await world.run(...argv);
  return `${exit} ${stdout}${stderr}`;
}

test('an edit of one block leaves the author’s other blocks as they are, though the service rewrites all of them', async () => {
  world.wrap = storesRichText(rich);
  expect(await run('sync', '--yes')).toMatch(/^0 /);
  await site.edit('Start', (body) => (body['content'] = String(body['content']).replace('First', 'Other')));
  expect(await run('pull', '--yes')).toMatch(/^0 /);
  expect(await fileText()).toBe(TEXT.replace('First', 'Other'));
  expect(await run('sync', '--yes')).toContain('in sync: 1 record unchanged');
});

test('a block that the service does not keep whole stays whole in the file, if an editor changes another one', async () => {
  world.wrap = storesRichText((html) => rich(html).replaceAll(/<\/?strong>/g, ''));
  await run('sync', '--yes');
  await site.edit('Start', (body) => (body['content'] = String(body['content']).replace('Last', 'Final')));
  expect(await run('pull', '--yes')).toMatch(/^0 /);
  expect(await fileText()).toBe(TEXT.replace('Last', 'Final'));
});
