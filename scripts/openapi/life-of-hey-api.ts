// The same with the client that @hey-api/openapi-ts makes: shorter, because the calls are the same.
import { equal, ok } from 'node:assert/strict';
import { client } from './made/hey-api/client.gen.js';
import {
  createArticle,
  deleteArticle,
  editArticle,
  listArticles,
  readArticle,
} from './made/hey-api/sdk.gen.js';

const [, , baseUrl = '', key = ''] = process.argv;
client.setConfig({
  baseUrl,
  headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
});

const body = {
  title: 'Install',
  slug: 'install',
  categories: [],
  excerpt: '',
  ordering: 1,
  status: 'published' as const,
  content: '<p>Run it.</p>',
};
const created = await createArticle({ body });
const id = created.response?.headers.get('location')?.split('/').at(-1);
ok(id);
equal((await readArticle({ path: { id } })).data?.data.content, '<p>Run it.</p>');
equal((await editArticle({ path: { id }, body: { ...body, title: 'New', lang: 'en' } })).data?.success, true);
equal((await listArticles()).data?.data[0]?.name, 'New');
equal((await editArticle({ path: { id: 'none' }, body: { ...body, lang: 'en' } })).error?.success, false);
equal((await deleteArticle({ path: { id } })).data?.success, true);
console.log('hey-api: lived');
