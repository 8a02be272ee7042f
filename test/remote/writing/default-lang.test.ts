import { expect, test } from 'vitest';
import { articleReply, fields } from '../support/replies.ts';
import { failureOf, json, rig } from '../support/support.ts';

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

/** Refuses every edit with `If-Match`, as for a translation that does not exist; says of `lang` what is given. */
async function refusedEdit(
  given: { readonly inOurs: () => Response; readonly tag?: string },
  lang = 'en',
): Promise<{ readonly error: unknown; readonly reads: readonly string[] }> {
  const reads: string[] = [];
  const { remote } = rig({
    capabilities: { 'if-match': 'yes' },
    send: async ({ method, url }) => {
      if (method !== 'GET') return json({ success: false, message: 'changed' }, { status: 412 });
      const { pathname, search } = new URL(url);
      reads.push(`${pathname}${search}`);
      return search === '' ? json(articleReply, { headers: { etag: given.tag ?? '"7"' } }) : given.inOurs();
    },
  });
  const error = await failureOf(remote.edit('article', 'a1', lang, fields.article, { ifMatch: '"7"' }));
  return { error, reads };
}

const none = () => json({ ...articleReply, newVersion: true });

test('an edit that would make a translation of the original in another language is not sent without its tag', async () => {
  const { error, reads } = await refusedEdit({ inOurs: none });
  expect(error).toMatchObject({
    code: 'rejected',
    message: expect.stringContaining('the original in another language than en') as string,
  });
  expect(reads).toEqual(['/api/v2/articles/a1?lang=en', '/api/v2/articles/a1']);
});

test.each([
  ['somebody wrote in between', { inOurs: none, tag: '"8"' }, 'en'],
  ['the service has the record in our language', { inOurs: () => json(articleReply) }, 'en'],
  ['the service does not say', { inOurs: () => no(400) }, 'en'],
  ['a translation is meant', { inOurs: none }, 'fr'],
])('a 412 stays one where %s', async (_, given, lang) => {
  expect((await refusedEdit(given, lang)).error).toMatchObject({ code: 'stale', status: 412 });
});

/** Refuses each new translation with 412, and reads as they are given by language. */
async function refusedTranslation(reads: Readonly<Record<string, object>>): Promise<unknown> {
  const { remote } = rig({
    capabilities: { 'if-match': 'yes' },
    send: async ({ method, url }) => {
      if (method !== 'GET') return json({ success: false, message: 'exists' }, { status: 412 });
      const { data, ...rest } = articleReply;
      const {
        id = 'a1',
        language_parent = null,
        newVersion = false,
      } = { ...reads[new URL(url).search] } as {
        readonly id?: string;
        readonly language_parent?: string | null;
        readonly newVersion?: boolean;
      };
      return json({ ...rest, data: { ...data, id, language_parent }, newVersion });
    },
  });
  return failureOf(remote.edit('article', 'a1', 'fr', fields.article, { ifNoneMatch: '*' }));
}

test('a translation that meets the original, because the service keeps originals in its language, is told as that', async () => {
  expect(await refusedTranslation({ '?lang=en': { newVersion: true } })).toMatchObject({
    code: 'rejected',
    message: expect.stringMatching(
      /^not stored: the service keeps the original in fr, and the default language here is en,.* write `defaultLanguage: fr` into kbsync\.yaml/,
    ) as string,
  });
});

test.each([
  ['somebody has made the translation in between', { '?lang=fr': { id: 'a2', language_parent: 'a1' } }],
  ['somebody has made it, and it has the id of its original', { '?lang=fr': { language_parent: 'a1' } }],
  ['there is no translation', { '?lang=fr': { newVersion: true } }],
  ['the service has the record in our language', { '?lang=en': {} }],
])('a 412 of a new translation stays one where %s', async (_, reads) => {
  const error = await refusedTranslation({ '?lang=en': { newVersion: true }, ...reads });
  expect(error).toMatchObject({ code: 'stale', status: 412 });
});
