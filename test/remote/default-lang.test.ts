import { expect, test } from 'vitest';
import { fields } from './support/replies.ts';
import { json, rig } from './support/support.ts';

/** A service that answers edits by whether they name a language; returns what each of them said. */
function service(answer: (lang: unknown, nth: number) => Response) {
  const said: unknown[] = [];
  const { remote } = rig({
    send: async (request) => {
      const { lang } = JSON.parse(await request.text()) as { readonly lang?: unknown };
      said.push(lang);
      return answer(lang, said.length);
    },
  });
  const edit = () => remote.edit('article', 'a1', 'en', fields.article, {});
  return { remote, said, edit };
}

const yes = () => json({ success: true, message: 'done' });
const no = (status: number) => json({ success: false, message: 'no' }, { status });

test('where `lang` is refused for originals, it is left out of their edits', async () => {
  const { remote, said, edit } = service((lang) => (lang === undefined ? yes() : no(400)));
  await edit();
  await edit();
  expect(said).toEqual(['en', undefined, undefined]);
  expect(remote.capabilities()['default-lang']).toBe('no');
});

test.each([403, 404, 409, 423, 428])('a refusal with %i says nothing about `lang`', async (status) => {
  const { remote, said, edit } = service(() => no(status));
  await expect(edit()).rejects.toThrow(String(status));
  expect(said).toEqual(['en']);
  expect(remote.capabilities()['default-lang']).toBeUndefined();
});

test('where `lang` was left out and is missed, it is sent again, and from then on', async () => {
  const { remote, said, edit } = service((lang) => (lang === undefined ? no(400) : yes()));
  remote.learn({ 'default-lang': 'no' });
  await edit();
  await edit();
  expect(said).toEqual([undefined, 'en', 'en']);
  expect(remote.capabilities()['default-lang']).toBe('yes');
});
