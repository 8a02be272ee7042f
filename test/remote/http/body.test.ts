import { expect, test } from 'vitest';
import { ENDPOINTS } from '../support/endpoints.ts';
import { rig } from '../support/support.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

test.each(ENDPOINTS)('$name: an answer past the cap is not taken', async ({ name, effect, call }) => {
  const isRecord = effect !== 'read' || name.startsWith('read ');
  let sent = 0;
  // 17 MB is too much for one record, 65 MB for a list.
  const chunk = new Uint8Array(2 ** 20).fill(0x20);
  const body = (): ReadableStream<Uint8Array> => {
    let left = isRecord ? 17 : 65;
    return new ReadableStream({
      pull(controller) {
        sent++;
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
  };
  const { remote } = rig({ send: () => Promise.resolve(new Response(body(), { headers: JSON_TYPE })) });
  const error = await call(remote).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toMatchObject({ code: effect === 'read' ? 'not-understood' : 'unclear' });
  expect(sent).toBeLessThanOrEqual(isRecord ? 18 : 66);
});

test.each(ENDPOINTS)('$name: a body that breaks off is unclear', async ({ call }) => {
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('{"success":true'));
        controller.error(new Error('cut'));
      },
    });
  const { remote } = rig({ send: () => Promise.resolve(new Response(body(), { headers: JSON_TYPE })) });
  await expect(call(remote)).rejects.toMatchObject({ code: 'unclear' });
});
