import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
  await rig.sync(file({ slug: 'install' }), { stamp: false });
  rig.forget();
});
afterEach(() => rig.close());

const EDITED = '<p>All of it was written anew.</p>';

const file = (
  fields: { readonly slug: string; readonly title?: string },
  body = '<p>Take the package.</p>',
) => desiredState({ 'article/start/install@en': { fields: { title: 'Install it', ...fields }, body } });

const count = async (): Promise<number> => (await rig.editor().list('article')).items.length;

describe('a file whose record an editor has written anew, in a clone without a state', () => {
  test('waits for that record if it gets another slug than that of its path', async () => {
    for (let run = 0; run < 2; run += 1) {
      const { plan } = await rig.sync(file({ slug: 'setup' }, EDITED), { stamp: false });
      expect(plan.blocked).toMatchObject([
        {
          key: 'article/start/install@en',
          message: expect.stringMatching(
            /^the record \S+ has its title but another slug, "install": /,
          ) as string,
        },
      ]);
      expect(await count()).toBe(1);
    }
  });

  test('is made if the record with the slug of its path has another title', async () => {
    await rig.sync(file({ slug: 'setup', title: 'Set it up' }, EDITED), { stamp: false });
    expect(await count()).toBe(2);
  });

  test('waits for the record of its conflict, whatever slug and title its author gives it before the conflict is resolved', async () => {
    const open = await rig.sync(file({ slug: 'install' }, EDITED), { stamp: false });
    expect(open.plan.conflicts).toMatchObject([{ witness: 'none' }]);
    for (const again of [file({ slug: 'setup' }, EDITED), file({ slug: 'fit', title: 'Fit it' }, EDITED)]) {
      const { plan } = await rig.sync(again, { stamp: false });
      expect(plan.blocked.map(({ key }) => key)).toEqual(['article/start/install@en']);
      expect(await count()).toBe(1);
    }
  });

  test('is the record’s again once its file has the slug, and then takes any other one', async () => {
    await rig.sync(file({ slug: 'install' }, EDITED), { stamp: false });
    await rig.sync(file({ slug: 'setup' }, EDITED), { stamp: false });
    await rig.sync(file({ slug: 'install' }, EDITED), { stamp: false, adopt: 'local' });
    const { results } = await rig.sync(file({ slug: 'setup' }, EDITED), { stamp: false });
    expect(results.map(({ action }) => action)).toEqual(['update']);
    expect((await rig.sync(file({ slug: 'setup' }, EDITED), { stamp: false })).results).toEqual([]);
    expect(await count()).toBe(1);
  });
});
