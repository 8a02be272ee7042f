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

const RECORDS = '{"success":true,"data":[],"x":"}{ \\"[","y":{"z":[{}]}}';
const NOTICE =
  '<br />\n<b>Warning</b>: Undefined array key "a" in <b>/var/www/api.php</b> on line <b>12</b><br />\n';

const listed = (body: string) => {
  const { remote } = rig({
    send: () => Promise.resolve(new Response(Buffer.from(body), { headers: JSON_TYPE })),
  });
  return remote.list('tag');
};

test.each([
  ['a notice of a script', `${NOTICE}${RECORDS}`],
  ['a guard against scripts', `)]}',\n${RECORDS}`],
  ['a loop against scripts', `for(;;);${RECORDS}`],
  ['byte order marks', `\uFEFF\uFEFF\n${RECORDS}\n`],
  ['a second loop against scripts', `while(1);${RECORDS}`],
  ['the comment of a cache', `${RECORDS}\n<!-- cache-3, 0.02 s -->`],
  ['notices on both sides', `${NOTICE}${RECORDS}\n${NOTICE}`],
])('an answer is read beside what is none of it: %s', async (_noise, body) => {
  expect((await listed(body)).items).toEqual([]);
});

test.each([
  ['cut off', RECORDS.slice(0, -1)],
  ['cut off behind a notice', `${NOTICE}${RECORDS.slice(0, -1)}`],
  ['in a list that is cut off', `[${RECORDS}`],
  ['within an object that is cut off', `"data": ${RECORDS}`],
  ['one of two', `${RECORDS}${RECORDS}`],
  ['beside another one', `${RECORDS}\n{"success":false}`],
  ['called with', `read(${RECORDS});`],
  ['followed by anything', `${RECORDS}x`],
  ['not there', NOTICE],
  ['wrong in itself', `${NOTICE}{"success":true,}`],
])('an answer is not taken if it is %s', async (_how, body) => {
  await expect(listed(body)).rejects.toMatchObject({ code: 'unclear' });
});
