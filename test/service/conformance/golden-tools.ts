import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addVersion } from '../../../src/service/index.ts';
import { ARTICLES, articleBody, type Reply, type Rig, type OpenRig } from '../support/rig.ts';
import { ADA, expectReply, ID } from '../support/shape.ts';

export function goldenTools(open: OpenRig): void {
  describe('golden replies of the tools', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = await open();
    });
    afterEach(() => rig.close());

    test('versions come newest first, with their features in order, bounded by count', async () => {
      for (const [at, version] of ['1.0', '2.0', '1.5'].entries()) {
        await addVersion(rig, {
          version,
          name: `Release ${version}`,
          releasedAtMs: Date.UTC(2026, Number(version.replace('.', '')) / 5, 1),
          active: version === '2.0',
          released: at !== 1,
          features: [
            { name: 'B', description: 'b', imageUrl: 'https://cdn.example.com/b.png' },
            { name: 'A' },
          ],
        });
      }
      const list = await rig.ask('GET', '/api/v2/versions');
      expectReply('listVersions', list);
      expect(list.headers.get('x-total-count')).toBe('3');
      const [first] = list.body['data'];
      expect(first).toEqual({
        id: ID,
        version: '2.0',
        name: 'Release 2.0',
        release_timestamp: '2026-05-01T00:00:00.000000Z',
        active_version: true,
        released_version: false,
        changelog_features: [
          {
            id: ID,
            changelog_version: first.id,
            name: 'B',
            description: 'b',
            image_url: 'https://cdn.example.com/b.png',
          },
          { id: ID, changelog_version: first.id, name: 'A', description: null, image_url: null },
        ],
      });
      const names = (reply: Reply) => reply.body['data'].map((item: { version: string }) => item.version);
      expect(names(list)).toEqual(['2.0', '1.5', '1.0']);
      expect(names(await rig.ask('GET', '/api/v2/versions?count=2'))).toEqual(['2.0', '1.5']);
      for (const count of ['0', '101', '-1', '1.5', 'two', '', '1e2', '%31%00']) {
        const refused = await rig.ask('GET', `/api/v2/versions?count=${count}`);
        expect([count, refused.status, refused.body['success']]).toEqual([count, 400, false]);
      }
    });

    test('the link manager shows the http links of saved articles, and keeps the row of a link that stays', async () => {
      const content = (urls: readonly string[]) => urls.map((url) => `<a href="${url}">x</a>`).join('');
      const body = articleBody({
        content: content(['https://a.example/x?a=1&amp;b=2', 'mailto:a@b.c', '/here', '#top']),
      });
      const id = await rig.make(ARTICLES, body);
      const list = await rig.ask('GET', '/api/v2/tools/link_manager');
      expectReply('listLinks', list);
      expect(list.body['data']).toEqual([
        {
          id: ID,
          site_id: rig.store.knowledgeBase.id,
          article_id: id,
          url: 'https://a.example/x?a=1&b=2',
          created_date: '2026-11-20T10:00:00.000000Z',
          working: true,
          articles: { id, name: 'Install' },
        },
      ]);
      const next = content(['http://b.example/', 'https://a.example/x?a=1&amp;b=2', 'http://b.example/']);
      await rig.ask('POST', `${ARTICLES}/${id}`, { ...body, content: next, lang: 'en' });
      const after = (await rig.ask('GET', '/api/v2/tools/link_manager')).body['data'];
      expect(after.map((link: { url: string }) => link.url)).toEqual([
        'http://b.example/',
        'https://a.example/x?a=1&b=2',
      ]);
      expect(after[1].id).toBe(list.body['data'][0].id);
      await rig.ask('DELETE', `${ARTICLES}/${id}`);
      expect((await rig.ask('GET', '/api/v2/tools/link_manager')).body['data']).toEqual([]);
    });

    test('review dates come soonest first, translations with their language', async () => {
      const id = await rig.make(ARTICLES, articleBody({ articleReviewDate: '2027-02-01' }));
      await rig.make(ARTICLES, articleBody({ slug: 'no-date' }));
      const fr = articleBody({ lang: 'fr', title: 'Installer', articleReviewDate: '2027-01-01T00:00:00Z' });
      await rig.ask('POST', `${ARTICLES}/${id}`, fr);
      const list = await rig.ask('GET', '/api/v2/tools/review_dates');
      expectReply('listReviewDates', list);
      expect(list.body['data']).toEqual([
        {
          id: ID,
          name: 'Installer',
          status: 'published',
          article_review_date: '2027-01-01T00:00:00.000Z',
          language: 'fr',
          users_articles_created_byTousers: ADA,
        },
        {
          id,
          name: 'Install',
          status: 'published',
          article_review_date: '2027-02-01T00:00:00.000Z',
          language: null,
          users_articles_created_byTousers: ADA,
        },
      ]);
    });
  });
}
