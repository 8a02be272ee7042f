/** `contentful-import`: the same pages as the JSON that it reads, which the benchmark writes beforehand, unmeasured. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forked } from '../forked.mjs';
import { installed } from '../install.mjs';
import { readPages } from '../pages.mjs';

/** The last one for Node 20: 10 needs Node 22. */
const PACKAGE = { name: 'contentful-import', version: '9.4.140' };

function contentful(note, { flags, faults }) {
  return {
    name: 'contentful-import',
    note,
    hasCosts: true,
    faults,
    create: '^PUT /spaces/bench/environments/master/entries/[^/]+$',
    ready: async () => {
      await installed(PACKAGE);
      return PACKAGE.version;
    },
    start: async ({ folder, pages, count }) => {
      const script = join(await installed(PACKAGE), 'bin/contentful-import');
      const { said, ask, stop } = await forked('mocks/contentful.mjs');
      const file = join(folder, 'content.json');
      const changed = async () => writeFileSync(file, JSON.stringify(contentOf(readPages(pages, count))));
      await changed();
      return {
        url: said.url,
        stop,
        changed,
        pages: () => ask('pages'),
        command: (url) => ({
          script,
          args: [
            '--space-id=bench',
            '--management-token=CFPAT-bench',
            `--content-file=${file}`,
            `--host=${new URL(url).host}`,
            '--insecure',
            ...flags,
          ],
          cwd: folder,
        }),
      };
    },
  };
}

export const contentfulAsItIs = contentful('as it is: 7 requests/s', { flags: [], faults: ['limit'] });
export const contentfulUnlimited = contentful('--rate-limit 1000', {
  flags: ['--rate-limit', '1000'],
  faults: ['limit', 'lose'],
});

function contentOf(pages) {
  const type = { sys: { id: 'article', type: 'ContentType', publishedVersion: 1 }, name: 'Article' };
  const field = (id, kind) => ({ id, name: id, type: kind, localized: false, required: true });
  return {
    contentTypes: [
      {
        ...type,
        displayField: 'title',
        fields: [field('title', 'Symbol'), field('slug', 'Symbol'), field('body', 'Text')],
      },
    ],
    locales: [{ sys: { id: 'locale-1', type: 'Locale' }, code: 'en-US', name: 'English', default: true }],
    entries: pages.map(({ slug, title, body }) => ({
      sys: {
        id: slug,
        type: 'Entry',
        publishedVersion: 1,
        contentType: { sys: { type: 'Link', linkType: 'ContentType', id: 'article' } },
      },
      fields: { title: { 'en-US': title }, slug: { 'en-US': slug }, body: { 'en-US': body } },
    })),
  };
}
