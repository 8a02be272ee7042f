import { ORIGINS, type KnowledgeBase } from './migrate-world.ts';

interface Ids {
  readonly start: string;
  readonly billing: string;
  readonly cli: string;
  readonly install: string;
  readonly refunds: string;
  readonly plans: string;
}

/** Two categories, one below the other, a tag, three articles; French of most. */
export async function fill({ put, edit }: KnowledgeBase): Promise<Ids> {
  const start = await put('categories', { name: 'Start', slug: 'start', priority: 1 });
  const billing = await put('categories', {
    name: 'Billing',
    slug: 'billing',
    priority: 2,
    categoryParent: start,
    description: 'Money',
    longDescription: '<p>Read <a href="/en/articles/install">install</a> first.</p>',
    iconUrl: 'https://cdn.acme.test/billing.svg',
  });
  await edit('categories', start, { name: 'Début', slug: 'debut', lang: 'fr' });
  const cli = await put('tags', { name: 'CLI', slug: 'cli', description: 'Commands', longDescription: '' });
  await edit('tags', cli, { id: cli, name: 'Commandes', slug: 'commandes', lang: 'fr' });
  const article = {
    categories: [{ value: billing }],
    tags: [{ value: cli }],
    excerpt: 'Short.',
    ordering: 3,
  };
  const install = await put('articles', {
    ...article,
    title: 'Install',
    slug: 'install',
    status: 'published',
    content: '<p>See <a href="/en/articles/refunds#how">refunds</a>.</p>',
    seoBannerUrl: 'https://cdn.acme.test/banner.png',
    articleReviewDate: '2027-01-31T00:00:00.000Z',
  });
  const french = { ...article, title: 'Installer', slug: 'installer', status: 'draft', lang: 'fr' };
  await edit('articles', install, { ...french, content: '<p>Voir.</p>', seoBannerUrl: null });
  const refunds = await put('articles', {
    ...article,
    title: 'Refunds',
    slug: 'refunds',
    status: 'published',
    content: `<p><a href='${ORIGINS.from}/en/articles/install?a=1&amp;b=2'>whole</a> <a href="install">beside</a></p>`,
    hideFromSearch: true,
  });
  const plans = await put('articles', {
    ...article,
    categories: [],
    tags: [],
    title: 'Plans',
    slug: 'plans',
    status: 'draft',
    content: '<p>Secret.</p>',
  });
  return { start, billing, cli, install, refunds, plans };
}
