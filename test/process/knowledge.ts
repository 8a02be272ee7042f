import type { Lane } from './lane.ts';

/** One record in one language, as far as a file can say it. */
export interface Row {
  readonly kind: 'category' | 'tag' | 'article';
  readonly lang: string;
  readonly name: string;
  readonly slug: string;
  readonly text: string;
}

export interface Doc extends Row {
  /** Below the kind's folder, without extension. */
  readonly path: string;
}

const FOLDERS = { category: 'categories', tag: 'tags', article: 'articles' } as const;
const BYSTANDER = 'Bystander';

export function fileOf({ kind, lang, path }: Doc): string {
  return `content/${lang}/${FOLDERS[kind]}/${path}.md`;
}

export function textOf({ kind, name, slug, text }: Doc): string {
  const front =
    kind === 'article' ? [`title: ${name}`, 'categories: [guide]', 'tags: [topic]'] : [`name: ${name}`];
  return ['---', ...front, `slug: ${slug}`, '---', '', text, ''].join('\n');
}

/** Everything that the service holds but the bystanders, one line each, sorted; doubles show as equal lines. */
export async function heldRows(
  lane: Lane,
): Promise<{ readonly rows: readonly string[]; readonly bystanders: number }> {
  const rows: string[] = [];
  let bystanders = 0;
  for (const kind of ['category', 'tag', 'article'] as const) {
    for (const { id, name } of await listOf(lane, kind)) {
      if (name === BYSTANDER) {
        bystanders += 1;
        continue;
      }
      const languages = await languagesOf(lane, kind, id);
      for (const lang of ['en', ...languages]) {
        const { data } = await readOf(lane, kind, id, lang);
        const html = data[kind === 'article' ? 'content' : 'long_description'];
        rows.push(
          rowText({ kind, lang, name: String(data['name']), slug: String(data['slug']), text: plain(html) }),
        );
      }
    }
  }
  return { rows: rows.sort(), bystanders };
}

export function wantedRows(docs: readonly Doc[]): readonly string[] {
  return docs.map(rowText).sort();
}

function rowText({ kind, lang, name, slug, text }: Row): string {
  return `${kind} ${lang} ${slug} "${name}" ${text}`;
}

function plain(html: unknown): string {
  return (typeof html === 'string' ? html : '').replaceAll(/<!--[\s\S]*?-->|<[^>]*>/g, '').trim();
}

interface Item {
  readonly id: string;
  readonly name: string;
  readonly [other: string]: unknown;
}

async function listOf(lane: Lane, kind: Row['kind']): Promise<readonly Item[]> {
  return ((await lane.ask('GET', `/api/v2/${FOLDERS[kind]}`)) as { data: readonly Item[] }).data;
}

async function readOf(
  lane: Lane,
  kind: Row['kind'],
  id: string,
  lang: string,
): Promise<{ readonly data: Readonly<Record<string, unknown>> }> {
  const query = lang === 'en' ? '' : `?lang=${lang}`;
  return (await lane.ask('GET', `/api/v2/${FOLDERS[kind]}/${id}${query}`)) as {
    data: Record<string, unknown>;
  };
}

async function languagesOf(lane: Lane, kind: Row['kind'], id: string): Promise<readonly string[]> {
  const item = (await listOf(lane, kind)).find((each) => each.id === id);
  const names = {
    category: 'other_categories_categories_language_parentTocategories',
    tag: 'other_tags',
    article: 'other_articles',
  };
  return ((item?.[names[kind]] ?? []) as readonly { language: string }[]).map(({ language }) => language);
}

/** An empty knowledge base with records that no file ever claimed. */
export async function resetKnowledge(lane: Lane): Promise<void> {
  for (const kind of ['article', 'tag', 'category'] as const) {
    for (const { id } of await listOf(lane, kind)) {
      for (const lang of await languagesOf(lane, kind, id)) {
        const { data } = await readOf(lane, kind, id, lang);
        await lane.ask('DELETE', `/api/v2/${FOLDERS[kind]}/${String(data['id'])}`);
      }
      await lane.ask('DELETE', `/api/v2/${FOLDERS[kind]}/${id}`);
    }
  }
  await lane.ask('PUT', '/api/v2/categories', { name: BYSTANDER, slug: 'bystander', priority: 0 });
  const [category] = await listOf(lane, 'category');
  await lane.ask('PUT', '/api/v2/articles', {
    title: BYSTANDER,
    slug: 'bystander',
    categories: [{ value: category?.id }],
    excerpt: '',
    ordering: 0,
    status: 'published',
    content: '<p>Nobody’s.</p>',
  });
}
