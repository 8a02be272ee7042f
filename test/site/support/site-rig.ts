import { createSite, type Site, type SiteOptions } from '../../../src/site/create-site.ts';
import { addVersion, openSqlite, type ServiceOptions } from '../../../src/service/index.ts';
import {
  ARTICLES,
  articleBody,
  CATEGORIES,
  categoryBody,
  rig,
  type Rig,
  tagBody,
  TAGS,
} from '../../service/support/rig.ts';

export interface SiteRig extends Rig {
  readonly site: Site;
  /** A GET as a browser sends it; answers status, headers and the whole text. */
  visit(
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>;
  /** Ids by name: what `library` made. */
  readonly ids: Readonly<Record<string, string>>;
}

/**
 * The site over the real service with a small library: two topics, one below the other, five articles in English, one
 * of them in French and Arabic under other slugs, one a draft, one hidden from search.
 */
export async function siteRig(
  options: Partial<SiteOptions> = {},
  serviceOptions: Partial<ServiceOptions> = {},
): Promise<SiteRig> {
  const store = openSqlite({ file: ':memory:', defaultLanguage: 'en' });
  const service = await rig(store, serviceOptions);
  const failures: unknown[] = [];
  const site = createSite({
    store,
    name: 'Acme Help',
    colourPatienceMs: 60_000,
    viewsPauseMs: 0,
    onFailure: (error) => failures.push(error),
    ...options,
  });
  const ids = await library(service);
  return {
    ...service,
    failures,
    site,
    ids,
    async visit(path, headers = {}) {
      const response = await site.fetch(
        new Request(`http://kb.test${path}`, { headers: { accept: 'text/html', ...headers } }),
      );
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}

async function library(service: Rig): Promise<Readonly<Record<string, string>>> {
  const { ask, store, clock } = service;
  const billing = await service.make(
    CATEGORIES,
    categoryBody({ name: 'Billing', slug: 'billing', priority: 1 }),
  );
  const taxes = await service.make(
    CATEGORIES,
    categoryBody({ name: 'Taxes', slug: 'taxes', priority: 1, categoryParent: billing }),
  );
  const tag = await service.make(TAGS, tagBody({ name: 'Refund', slug: 'refund' }));
  const article = (values: object) =>
    service.make(ARTICLES, articleBody({ categories: [{ value: billing }], ...values }));
  const invoices = await article({ title: 'Invoices', slug: 'invoices', ordering: 1 });
  const refunds = await article({
    title: 'Refunds',
    slug: 'refunds',
    ordering: 2,
    excerpt: 'How long refunds take.',
    tags: [{ value: tag }],
    content:
      '<h2 id="delays">Delays</h2><p>Refunds take 5 days.</p><h2>Amounts</h2><pre><code class="language-js">const a = "b";</code></pre><h3>Exceptions</h3><p>None.</p>',
  });
  await article({ title: 'VAT', slug: 'vat', categories: [{ value: taxes }], ordering: 1 });
  const draft = await article({ title: 'Secret plans', slug: 'secret-plans', status: 'draft', ordering: 3 });
  const hidden = await article({ title: 'Old terms', slug: 'old-terms', hideFromSearch: true, ordering: 4 });
  const translate = (lang: string, values: object) =>
    ask('POST', `${ARTICLES}/${refunds}`, {
      ...articleBody({ categories: [{ value: billing }], tags: [{ value: tag }], ordering: 0, ...values }),
      lang,
    });
  await translate('fr', {
    title: 'Remboursements',
    slug: 'remboursements',
    excerpt: 'Les délais.',
    content: '<h2 id="delais">Délais</h2><p>Cinq jours.</p><h2>Montants</h2><p>Tout.</p>',
  });
  await translate('ar', {
    title: 'استرداد الأموال',
    slug: 'refunds-ar',
    excerpt: 'المدة',
    content: '<h2>المدة</h2><p>خمسة أيام.</p><pre><code>npm i</code></pre>',
  });
  await ask('POST', `${CATEGORIES}/${billing}`, {
    name: 'Facturation',
    slug: 'facturation',
    priority: 0,
    lang: 'fr',
  });
  const version = { name: 'Autumn', releasedAtMs: clock.now(), active: true, released: true };
  await addVersion(
    { store, clock },
    { ...version, version: '2.4.0', features: [{ name: 'Faster refunds' }] },
  );
  await addVersion(
    { store, clock },
    { ...version, version: '3.0.0', released: false, active: false, features: [] },
  );
  return { billing, taxes, tag, invoices, refunds, draft, hidden };
}
