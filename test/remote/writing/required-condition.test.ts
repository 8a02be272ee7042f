import { expect, test } from 'vitest';
import { articleReply, fields } from '../support/replies.ts';
import { json, rig } from '../support/support.ts';

const yes = () => json({ success: true, message: 'done' });
const no = (status: number) => json({ success: false, message: 'no' }, { status });

/** A service that answers edits by their conditions; returns the conditions of each. */
function service(answer: (condition: string) => Response, tag: string | null = '"7"') {
  const sent: string[] = [];
  const { remote } = rig({
    send: ({ method, headers }) => {
      if (method === 'GET')
        return Promise.resolve(json(articleReply, tag === null ? {} : { headers: { etag: tag } }));
      const condition = headers.get('if-match') ?? headers.get('if-none-match') ?? '';
      sent.push(condition);
      return Promise.resolve(answer(condition));
    },
  });
  const edit = (lang: string, ifMatch?: string) =>
    remote.edit('article', 'a1', lang, fields.article, ifMatch === undefined ? {} : { ifMatch });
  return { sent, edit };
}

test('a first edit in a language says that nothing is there yet, if the service takes no edit without a condition', async () => {
  const { sent, edit } = service((condition) => (condition === '' ? no(428) : yes()));
  await edit('fr');
  expect(sent).toEqual(['', '*']);
});

test('it names the tag of the original, if the service asks that of the original', async () => {
  const { sent, edit } = service((condition) =>
    condition === '' ? no(428) : condition === '*' ? no(412) : yes(),
  );
  await edit('fr');
  expect(sent).toEqual(['', '*', '"7"']);
});

test.each([
  ['no condition helps', '"7"', ['', '*', '"7"']],
  ['the original has no tag', null, ['', '*']],
] as const)('the first refusal stands, if %s', async (_, tag, all) => {
  const { sent, edit } = service((condition) => no(condition === '' ? 428 : 412), tag);
  await expect(edit('fr')).rejects.toThrow('428');
  expect(sent).toEqual(all);
});

test('another refusal of the second try is told, and nothing more is sent', async () => {
  const { sent, edit } = service((condition) => no(condition === '' ? 428 : 422));
  await expect(edit('fr')).rejects.toThrow('422');
  expect(sent).toEqual(['', '*']);
});

test('an edit of an original, or one with a tag, is sent once', async () => {
  const { sent, edit } = service(() => no(428));
  await expect(edit('en')).rejects.toThrow('428');
  await expect(edit('fr', '"1"')).rejects.toThrow('428');
  expect(sent).toEqual(['', '"1"']);
});
