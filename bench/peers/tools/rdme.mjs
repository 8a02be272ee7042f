/** `rdme docs upload`: Markdown to ReadMe as it is, front matter as fields. */
import { join } from 'node:path';
import { forked } from '../forked.mjs';
import { installed } from '../install.mjs';

const PACKAGE = { name: 'rdme', version: '10.9.6' };

function rdme(note, taken) {
  return {
    name: 'rdme',
    note,
    hasCosts: true,
    faults: ['limit', 'lose'],
    create: '^POST /v2/branches/stable/guides$',
    ready: async () => {
      await installed(PACKAGE);
      return PACKAGE.version;
    },
    start: async ({ pages }) => {
      const script = join(await installed(PACKAGE), 'bin/run.js');
      const { said, ask, stop } = await forked('mocks/readme.mjs', [taken]);
      return {
        url: said.url,
        stop,
        pages: () => ask('pages'),
        command: (url) => ({
          script,
          args: ['docs', 'upload', pages, '--key', 'rdme_bench'],
          env: {
            RDME_LOCALHOST: '1',
            RDME_SKIP_NEW_VERSION_CHECK: '1',
            BENCH_HOST: `api.readme.local,dash.readme.local=${new URL(url).port}`,
          },
        }),
      };
    },
  };
}

export const rdmeNumbered = rdme('ReadMe', 'number');
/** Only where it makes a difference: after a create whose answer was lost. */
export const rdmeRefused = {
  ...rdme('ReadMe, slugs must be unique', 'refuse'),
  hasCosts: false,
  faults: ['lose'],
};
