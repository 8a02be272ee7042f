/** `@markdown-confluence/cli`: Markdown to Confluence's document format, page by page; keeps page ids in the files. */
import { join } from 'node:path';
import { forked } from '../forked.mjs';
import { installed } from '../install.mjs';

const PACKAGE = { name: '@markdown-confluence/cli', version: '5.5.2' };

export const markdownConfluence = {
  name: '@markdown-confluence/cli',
  note: 'Confluence',
  hasCosts: true,
  faults: ['limit', 'lose'],
  create: '^POST /wiki/rest/api/content$',
  ready: async () => {
    await installed(PACKAGE);
    return PACKAGE.version;
  },
  start: async ({ pages }) => {
    const script = join(await installed(PACKAGE), 'dist/index.js');
    const { said, ask, stop } = await forked('mocks/confluence.mjs');
    return {
      url: said.url,
      stop,
      pages: () => ask('pages'),
      command: (url) => ({
        script,
        args: [],
        cwd: pages,
        env: {
          CONFLUENCE_BASE_URL: url,
          CONFLUENCE_PARENT_ID: '1',
          ATLASSIAN_USERNAME: 'bench@example.com',
          ATLASSIAN_API_TOKEN: 'bench',
          CONFLUENCE_CONTENT_ROOT: pages,
          FOLDER_TO_PUBLISH: '.',
          PUPPETEER_SKIP_DOWNLOAD: '1',
        },
      }),
    };
  },
};
