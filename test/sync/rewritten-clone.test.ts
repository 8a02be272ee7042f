import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { plain } from '../support/odd-services/headers.ts';
import { oddService } from '../support/odd-services/odd-services.ts';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

/** A service that writes each text into one line. */
const inOneLine: (send: Send) => Send = (send) => async (request) => {
  if (request.method === 'GET') return send(request);
  const text = await request.text();
  const { method, headers, url } = request;
  return send(new Request(url, { method, headers, body: text.replaceAll(String.raw`\n`, ' ') }));
};

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
  rig.wrap = oddService([plain(), () => inOneLine], { now: rig.clock.now, harm: [] });
});
afterEach(() => rig.close());

const files = (body: string) =>
  desiredState({
    'article/a@en': { body: `<p>${body}</p>\n<pre><code>b\n</code></pre>` },
    'article/b@en': {},
  });

test('an edit that a clone without a state left alone is overwritten on demand, and the next edit arrives', async () => {
  await rig.sync(files('one'));
  const [a] = (await rig.editor().list('article')).items.filter(({ name }) => name === 'a in en');
  const read = await rig.editor().read('article', a?.id ?? '', undefined);
  if (read.state !== 'found') throw new Error('it cannot be read');
  const { fields, stamp = '' } = read.record;
  const content = `${String(fields['content'])} ${stamp}`;
  await rig.editor().edit('article', a?.id ?? '', 'en', { ...fields, content, title: 'By an editor' }, {});
  expect((await rig.sync(files('one more'))).summary).toMatchObject({ updated: 1, drift: 1 });
  rig.forget();
  const clone = await rig.sync(files('one more'));
  expect(clone.plan.drift).toMatchObject([{ fields: [{ field: 'title' }] }]);
  await rig.sync(files('one more'));
  const ours = { onDrift: 'overwrite', onConflict: 'local', adopt: 'local' } as const;
  expect((await rig.sync(files('one more'), ours)).summary).toMatchObject({ updated: 1 });
  expect((await rig.sync(files('one more'))).summary).toMatchObject({ updated: 0, drift: 0 });
  expect((await rig.sync(files('two'))).summary).toMatchObject({ updated: 1, conflict: 0 });
});
