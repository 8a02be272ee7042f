import { BASE_URL, type Service } from './fake-world.ts';

/** An editor at work on the site: over the API, with no kbsync between. */
export interface Site {
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Id of the article with this title. */
  idOf(title: string): Promise<string>;
  titles(): Promise<readonly string[]>;
  /** `title` is the original's. */
  edit(title: string, change: (body: Record<string, unknown>) => void, lang?: string): Promise<void>;
  remove(title: string): Promise<void>;
}

export function siteOf(world: { readonly service: Pick<Service, 'key' | 'fetch'> }): Site {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${world.service.key}`, 'content-type': 'application/json' };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await world.service.fetch(new Request(`${BASE_URL}${path}`, init));
    if (!response.ok) throw new Error(`test: ${method} ${path}: ${await response.text()}`);
    return response.json();
  };
  const articles = async () => {
    const list = (await ask('GET', '/api/v2/articles')) as { data: { id: string; name: string }[] };
    return list.data;
  };
  const idOf = async (title: string): Promise<string> => {
    const item = (await articles()).find(({ name }) => name === title);
    if (item === undefined) throw new Error(`test: no article ${title}`);
    return item.id;
  };
  return {
    ask,
    idOf,
    titles: async () => (await articles()).map(({ name }) => name).sort(),
    edit: async (title, change, lang = 'en') => {
      const id = await idOf(title);
      const { data, categories, tags } = (await ask('GET', `/api/v2/articles/${id}?lang=${lang}`)) as {
        data: Record<string, unknown>;
        categories: { value: string }[];
        tags: { value: string }[];
      };
      const body: Record<string, unknown> = {
        title: data['name'],
        slug: data['slug'],
        categories: categories.map(({ value }) => ({ value })),
        tags: tags.map(({ value }) => ({ value })),
        excerpt: data['excerpt'],
        ordering: data['order_by'],
        status: data['status'],
        content: data['content'],
        lang,
      };
      change(body);
      await ask('POST', `/api/v2/articles/${id}`, body);
    },
    remove: async (title) => void (await ask('DELETE', `/api/v2/articles/${await idOf(title)}`)),
  };
}
