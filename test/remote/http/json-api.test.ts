import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../src/model/key.ts';
import { ids, lists, singles } from '../support/replies.ts';
import { failureOf, json, rig } from '../support/support.ts';

function saying(reply: unknown) {
  return rig({ send: () => Promise.resolve(json(reply)) }).remote;
}

function wrapped({ id, ...attributes }: Readonly<Record<string, unknown>>) {
  return { id, type: 'thing', attributes };
}

describe.each(KINDS)('a %s whose fields are in `attributes`', (kind) => {
  test('is read as one whose fields are beside its id, in lists and alone', async () => {
    const list = lists[kind] as { readonly data: readonly Readonly<Record<string, unknown>>[] };
    const single = singles[kind] as { readonly data: Readonly<Record<string, unknown>> };
    const { items } = await saying({ ...list, data: list.data.map(wrapped) }).list(kind);
    expect(items).toEqual((await saying(list).list(kind)).items);
    expect(items[0]?.name).not.toBe('');
    const read = await saying({ ...single, data: wrapped(single.data) }).read(kind, ids[kind]);
    const plain = await saying(single).read(kind, ids[kind]);
    expect(read).toMatchObject(
      plain.state === 'found' ? { state: 'found', record: { fields: plain.record.fields } } : {},
    );
  });

  test('needs its id all the same', async () => {
    const error = await failureOf(
      saying({ success: true, data: [{ attributes: { name: 'A' } }, 'b'] }).list(kind),
    );
    expect(error).toMatchObject({ code: 'not-understood', field: 'data[1]' });
  });
});
