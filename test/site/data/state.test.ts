import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../src/service/store/store.ts';
import { readState } from '../../../src/site/data/state.ts';
import { siteRig, type SiteRig } from '../support/site-rig.ts';

let rig: SiteRig;
beforeAll(async () => {
  rig = await siteRig();
});
afterAll(() => rig.close());

test('what each request asks of the store goes through no table of records', async () => {
  const plans = await rig.store.read(async (sql) => {
    const asked: string[] = [];
    const noted = (text: string): string => {
      asked.push(text);
      return text;
    };
    const listening: Sql = {
      ...sql,
      get: (text, ...values) => sql.get(noted(text), ...values),
      all: (text, ...values) => sql.all(noted(text), ...values),
    };
    expect(await readState(listening)).toMatchObject({ hasTags: true });
    const found: string[] = [];
    for (const text of asked) {
      const steps = await sql.all<{ readonly detail: string }>(`explain query plan ${text}`);
      found.push(...steps.map(({ detail }) => detail));
    }
    return found;
  });
  expect(plans.length).toBeGreaterThan(2);
  expect(plans.filter((step) => /^SCAN (?:a|articles)\b/.test(step))).toEqual([]);
});
