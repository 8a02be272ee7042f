import { expect, test } from 'vitest';
import { loadDesired } from '../../../src/content/load-content.ts';
import type { BodyDraft } from '../../../src/content/options.ts';
import { splicedBody } from '../../../src/content/splicing/splice-body.ts';
import { keyOf } from '../../../src/model/key.ts';
import { folderOf, OPTIONS } from '../support/support.ts';

const HEAD = '---\ntitle: A\n---\n';

test('a paragraph that an editor adds below a list of definitions stands below it in the file too', async () => {
  const body = '\nTerm\n\n:   One.\n\n    More\n\nLast words.\n';
  const cwd = folderOf({ 'a.md': `${HEAD}${body}` });
  const content = await loadDesired({ ...OPTIONS, preset: 'hugo', cwd });
  const redraft = (text: string): BodyDraft | undefined =>
    content.editing?.().draft(keyOf('article', 'a', 'en'), `${HEAD}${text}`);
  const draft = redraft(body);
  if (draft === undefined) throw new Error('no draft');
  const wanted = draft.render(draft.markdown).replace('<p>Last', '<p>New words.</p>\n<p>Last');
  const options = { lang: 'en', html: 'sanitize', clean: true } as const;
  expect(splicedBody({ draft, redraft, wanted, layout: 'hugo', options })).toEqual({
    body: body.replace('Last', 'New words.\n\nLast'),
  });
});
