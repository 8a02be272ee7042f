import { expect, test } from 'vitest';
import { keyOf } from '../../src/model/key.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Outcome, Result } from '../../src/sync/report.ts';
import { summaryOf } from '../../src/sync/report.ts';
import { EMPTY_PLAN } from '../plan/support/empty-plan.ts';

const PLAN: Plan = { ...EMPTY_PLAN, unchanged: 4 };

function result(name: string, action: Result['action'], outcome: Outcome): Result {
  return { key: keyOf('article', name, 'en'), kind: 'article', lang: 'en', action, outcome, message: '' };
}

test('each change is counted once: done, failed, pending or not sent', () => {
  const results = [
    result('a', 'create', 'done'),
    result('b', 'update', 'done'),
    result('c', 'delete', 'done'),
    result('d', 'create', 'failed'),
    result('e', 'update', 'skipped'),
    result('f', 'delete', 'skipped'),
    result('g', 'create', 'pending'),
  ];
  expect(summaryOf(PLAN, results)).toEqual({
    created: 1,
    updated: 1,
    deleted: 1,
    unchanged: 4,
    conflict: 0,
    drift: 0,
    failed: 1,
    pending: 1,
    skipped: 2,
  });
});

test('a create of an earlier run that is still open counts as pending', () => {
  const key = keyOf('article', 'a', 'en');
  const blocked: Plan['blocked'] = [
    { key, reason: 'pending', message: 'no answer yet' },
    { key: keyOf('article', 'b', 'fr'), reason: 'original-missing', message: 'no original' },
  ];
  expect(summaryOf({ ...PLAN, blocked }, []).pending).toBe(1);
});
