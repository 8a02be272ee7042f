import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
});
afterEach(() => rig.close());

const FILES = { 'article/install@en': { body: '<p>ours</p>' }, 'article/upgrade@en': {} } as const;
const EDITED = { ...FILES, 'article/install@en': { body: '<p>ours, edited</p>' } } as const;

interface Row {
  readonly id: string;
  readonly name: string;
}

async function rows(): Promise<readonly Row[]> {
  return (await rig.editor().list('article')).items;
}

/** The list leaves a record out, and its single read is denied the first times. */
function hiding(id: string, denials: number): (send: Send) => Send {
  let left = denials;
  return (send) => async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET' && pathname.endsWith(`/articles/${id}`) && left > 0) {
      left -= 1;
      return Response.json({ success: false, message: 'no such article' }, { status: 404 });
    }
    const response = await send(request);
    if (request.method !== 'GET' || !pathname.endsWith('/articles')) return response;
    const list = (await response.json()) as { data: readonly Row[] };
    return Response.json({ ...list, data: list.data.filter((row) => row.id !== id) });
  };
}

/** Somebody has copied the page in the web editor, with the stamp at its end. */
async function copied(): Promise<{ readonly ours: string; readonly copy: string }> {
  await rig.sync(desiredState(FILES));
  const [ours] = (await rows()).filter(({ name }) => name === 'install in en');
  if (ours === undefined) throw new Error('it is not there');
  const record = await rig.editor().read('article', ours.id, undefined);
  if (record.state !== 'found') throw new Error('it cannot be read');
  const { fields, stamp } = record.record;
  const content = `${String(fields['content'])}\n${stamp ?? ''}`;
  await rig
    .editor()
    .create('article', { ...fields, title: 'Copy of install', slug: 'copy-of-install', content }, {});
  const [copy] = (await rows()).filter(({ name }) => name === 'Copy of install');
  return { ours: ours.id, copy: copy?.id ?? '' };
}

test('a record that is denied once, and not listed, does not make its copy ours', async () => {
  const { ours, copy } = await copied();
  rig.wrap = hiding(ours, 1);
  await rig.sync(desiredState(EDITED));
  const shown = await rig.editor().read('article', copy, undefined);
  expect(shown.state === 'found' && shown.record.fields['title']).toBe('Copy of install');
  expect(shown.state === 'found' && shown.record.fields['content']).toBe('<p>ours</p>');
  rig.wrap = (send) => send;
  expect((await rig.sync(desiredState(EDITED))).summary).toMatchObject({ conflict: 0, failed: 0 });
  const now = await rig.editor().read('article', ours, undefined);
  expect(now.state === 'found' && now.record.fields['content']).toBe('<p>ours, edited</p>');
});

test('a record that an editor deleted, and another machine made again under the names that its file has now, is not made twice', async () => {
  await rig.sync(desiredState(FILES));
  const [ours] = (await rows()).filter(({ name }) => name === 'install in en');
  await rig.editor().remove('article', ours?.id ?? '', {});
  const fields = { title: 'Set it up', slug: 'set-it-up' };
  // On a service that strips stamps.
  await rig
    .editor()
    .create(
      'article',
      { ...fields, content: '<p>ours</p>', excerpt: '', ordering: 0, status: 'published', categories: [] },
      {},
    );
  const files = { ...FILES, 'article/install@en': { fields, body: '<p>ours, edited</p>' } };
  const report = await rig.sync(desiredState(files), { onConflict: 'local' });
  expect(report.summary).toMatchObject({ created: 0, failed: 0, conflict: 0 });
  expect((await rows()).map(({ name }) => name).toSorted()).toEqual(['Set it up', 'upgrade in en']);
  expect((await rig.sync(desiredState(files))).summary).toMatchObject({ unchanged: 2, conflict: 0 });
});
