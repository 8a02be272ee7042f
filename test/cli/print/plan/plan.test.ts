import { describe, expect, test } from 'vitest';
import type { PlanContext } from '../../../../src/cli/print/plan/context.ts';
import { noteLines } from '../../../../src/cli/print/plan/notes.ts';
import { inSyncSum, isInSync } from '../../../../src/cli/print/plan/plan.ts';
import { planHead, planLines, planSum, shownState } from '../../../../src/cli/print/plan/plan.ts';
import { syncLines, syncSum } from '../../../../src/cli/commands/sync/print.ts';
import { keyOf } from '../../../../src/model/key.ts';
import type { Plan } from '../../../../src/plan/plan.ts';
import type { SyncReport } from '../../../../src/sync/report.ts';
import { golden } from '../../support/golden.ts';
import { change, context, EVERYTHING, NOTHING } from '../../support/sample-plan.ts';

function printed(plan: Plan, shown: PlanContext): string {
  return [planHead(shown), '', ...planLines(plan, shown), '', planSum(plan, shown), ''].join('\n');
}

const warning = {
  severity: 'warning',
  code: 'dead-anchor',
  message: 'no heading `#quotas` in api/limits',
  at: { file: 'docs/fr/articles/api/limits.md', line: 21, column: 9 },
} as const;

test('a plan groups changes by language and ends with its sum', async () => {
  const printedText = printed(EVERYTHING, context({ warnings: [warning] }));
  expect(printedText).toBe(await golden('plan-everything', 'plan.txt', printedText));
});

test('a verbose plan has one line a field and lists what nobody manages', async () => {
  const printedText = printed(EVERYTHING, context({ isVerbose: true }));
  expect(printedText).toBe(await golden('plan-everything', 'verbose.txt', printedText));
});

test('a plan of thousands shows the first of each sort and counts the rest', async () => {
  const changes = Array.from({ length: 60 }, (_, i) =>
    change('create', i < 30 ? 'article' : 'category', `part-${String(i).padStart(2, '0')}`, 'en'),
  );
  const printedText = printed({ ...NOTHING, changes }, context());
  expect(printedText).toBe(await golden('plan-many', 'plan.txt', printedText));
});

test('many warnings and much drift are the first of them and a count, so that they hide nothing new', () => {
  const warnings = [
    ...Array.from({ length: 73 }, (_, i) => ({ ...warning, at: { ...warning.at, line: i + 1 } })),
    { ...warning, code: 'orphan-translation', message: 'no original' },
  ];
  const [first] = EVERYTHING.drift;
  const drift = Array.from({ length: 30 }, () => first).filter((one) => one !== undefined);
  const plan = { ...NOTHING, drift };
  const lines = planLines(plan, context({ warnings }));
  expect(lines.filter((line) => line.startsWith('  warning'))).toHaveLength(4);
  expect(lines.at(-2)).toBe('  warning   … 71 more of dead-anchor (kbsync check --verbose lists all)');
  expect(lines.at(-1)).toContain('no original [orphan-translation]');
  expect(lines.filter((line) => line.startsWith('  drift'))).toHaveLength(21);
  expect(lines).toContain('  drift     … 10 more (--verbose lists all)');
  const all = planLines(plan, context({ warnings, isVerbose: true }));
  expect(all.filter((line) => /^ {2}(?:warning|drift)/.test(line))).toHaveLength(104);
});

test('a conflict of long texts that begin alike is shown from the words before their difference', () => {
  const [first] = EVERYTHING.conflicts;
  if (first === undefined) throw new Error('test: no conflict');
  const text = (word: string): string =>
    `<p>${'The same words come first. '.repeat(20)}</p>\n<p>Refunds take ${word}.</p>`;
  const of = (base: string, local: string, remote: string): string => {
    const conflicts = [{ ...first, fields: [{ field: 'content', base, local, remote }] }];
    return planLines({ ...NOTHING, conflicts }, context()).join('\n');
  };
  const shown = of(text('10 days'), text('5 days'), text('a week'));
  expect(shown).toContain('"…first. </p> <p>Refunds take 10 days.</p>"');
  expect(shown).toContain('"…first. </p> <p>Refunds take 5 days.</p>"');
  expect(shown).toContain('"…first. </p> <p>Refunds take a week.</p>"');
  // What differs early is shown from its beginning.
  expect(of('a', `Early ${text('x')}`, text('x'))).toContain('"Early <p>The same');
  expect(of('', 'x'.repeat(200), `${'x'.repeat(200)}y`)).toContain('xxx');
  const glued = of(`${'x'.repeat(200)}1`, `${'x'.repeat(200)}2`, `${'x'.repeat(200)}3`);
  expect(glued).toContain(`file    …${'x'.repeat(24)}2`);
  // A long word before the difference is cut: it would fill the line of all three.
  const linked = (word: string): string =>
    `<p>${'The same words come first. '.repeat(5)}<a href="https://example.com/a/long/address/of/a/page/of/this/site">here</a> ${word}</p>`;
  const cut = of(linked('one'), linked('two'), linked('ten'));
  for (const word of ['one', 'two', 'ten']) expect(cut).toContain(`here</a> ${word}`);
  // A service that keeps no ids differs in the first heading already: the words that somebody changed are shown.
  const headed = (id: string, word: string): string =>
    `<h2${id}>How long refunds take</h2>\n<p>${'The same words come first. '.repeat(5)}It takes ${word}.</p>`;
  const unlike = of(
    headed(' id="how-long"', 'a day'),
    headed(' id="how-long"', 'an hour'),
    headed('', 'a week'),
  );
  for (const word of ['a day', 'an hour', 'a week']) expect(unlike).toContain(`It takes ${word}.</p>`);
  const marked = of(headed('', 'a day'), headed('', 'a day'), headed('', '<b>a day</b>'));
  expect(marked).toContain('It takes <b>a day</b>.</p>');
  // A character of two units stays whole.
  const wide = of(`${'😀'.repeat(50)}1`, `${'😀'.repeat(50)}2`, `${'😀'.repeat(50)}3`);
  expect(wide).toContain('…😀');
});

test('a conflict about a page that may be a draft says so before anybody makes it again', () => {
  const gone = EVERYTHING.conflicts.filter(({ code }) => code === 'remote-deleted');
  const lines = (conflicts: typeof gone) => planLines({ ...NOTHING, conflicts }, context());
  expect(lines(gone)).toContain('    deleted on the site, unchanged in the files');
  expect(lines(gone.map((each) => ({ ...each, mayBeDraft: true as const })))).toContain(
    '    gone from the site: deleted, or a draft that the service does not show; look there before you choose --local',
  );
});

test('drift of a text that nobody kept says that it was edited', () => {
  const [first] = EVERYTHING.drift;
  const fields = [{ field: 'content', remote: '<p>New</p>' }];
  const drift = first === undefined ? [] : [{ ...first, fields }];
  expect(planLines({ ...NOTHING, drift }, context())[0]).toBe(
    '  drift     article/api/limits@en  content edited on the site; left alone',
  );
});

test('text from files and services cannot drive the terminal', () => {
  const evil = 'x\u001b[2J\u202e\nfake line';
  const plan: Plan = {
    ...EVERYTHING,
    changes: [change('update', 'article', evil, 'en', [{ field: 'title', before: evil, after: evil }])],
    blocked: [{ key: keyOf('article', evil, 'en'), reason: 'unreadable', message: evil }],
    unmanaged: [{ kind: 'tag', id: evil, name: evil }],
    refusals: [{ code: 'remote-empty', message: evil }],
  };
  const lines = planLines(plan, context({ isVerbose: true, warnings: [{ ...warning, message: evil }] }));
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
  expect(
    lines
      .join('\n')
      .split('\n')
      .filter((line) => line.startsWith('fake')),
  ).toEqual([]);
});

test('a refused plan says why and names the flag', () => {
  const plan: Plan = {
    ...NOTHING,
    refusals: [
      {
        code: 'too-many-deletes',
        message: '40 of 90 managed records would be deleted; the limit is 18',
        flag: '--max-delete 40',
      },
    ],
  };
  expect(planLines(plan, context())).toEqual([
    '! refused   40 of 90 managed records would be deleted; the limit is 18 [too-many-deletes]',
    '    → if that is right: --max-delete 40',
  ]);
});

test('drift, conflicts and refusals are not in sync; a translation without original is', () => {
  expect(isInSync(NOTHING)).toBe(true);
  expect(isInSync({ ...NOTHING, drift: EVERYTHING.drift })).toBe(false);
  expect(isInSync({ ...NOTHING, conflicts: EVERYTHING.conflicts })).toBe(false);
  expect(isInSync({ ...NOTHING, blocked: EVERYTHING.blocked })).toBe(true);
  const key = keyOf('article', 'new', 'en');
  const pending: Plan = { ...NOTHING, blocked: [{ key, reason: 'pending', message: 'no answer yet' }] };
  expect(isInSync(pending)).toBe(false);
  expect(planSum(pending, context())).toBe('0 create, 0 update, 0 delete, 1 pending, 205 unchanged');
});

test('what waits and what nobody manages is named where a plan is in sync', () => {
  const shown = context();
  expect(inSyncSum(NOTHING, shown)).toBe('in sync: 205 records unchanged');
  const { blocked, unmanaged } = EVERYTHING;
  expect(inSyncSum({ ...NOTHING, unmanaged }, shown)).toBe('in sync: 205 records unchanged, 1 unmanaged');
  expect(inSyncSum({ ...NOTHING, blocked, unmanaged }, shown)).toBe(
    'in sync except 1 blocked: 205 records unchanged, 1 unmanaged',
  );
});

function report(plan: Plan, changes: Partial<SyncReport> = {}): SyncReport {
  return {
    plan,
    results: [],
    filesSent: 0,
    lost: [],
    summary: {
      created: 0,
      updated: 0,
      deleted: 0,
      unchanged: plan.unchanged,
      conflict: plan.conflicts.length,
      drift: plan.drift.length,
      failed: 0,
      pending: 0,
      skipped: 0,
    },
    requests: 3,
    durationMs: 1_940,
    interrupted: false,
    ...changes,
  };
}

test('a sync ends with its sum, after what a person must know', async () => {
  const failed = {
    key: keyOf('article', 'billing/invoices', 'en'),
    kind: 'article',
    lang: 'en',
    action: 'update',
    outcome: 'failed',
    message: 'POST /api/v2/articles/7: 500',
  } as const;
  const done = report(EVERYTHING, {
    results: [
      failed,
      { ...failed, action: 'create', outcome: 'pending', message: 'no answer; looked up next time' },
    ],
    summary: {
      created: 2,
      updated: 4,
      deleted: 1,
      unchanged: 1205,
      conflict: 2,
      drift: 1,
      failed: 1,
      pending: 1,
      skipped: 0,
    },
    requests: 17,
  });
  const printedText = `${[...syncLines(done, context()), '', syncSum(done, context())].join('\n')}\n`;
  expect(printedText).toBe(await golden('sync-everything', 'sync.txt', printedText));
});

test('a sync with nothing to do says in sync, with the number of requests', () => {
  expect(syncSum(report(NOTHING), context())).toBe('in sync: 205 records unchanged in 1.9 s, 3 requests');
});

test('an interrupted sync says so and that it can be run again', () => {
  expect(syncSum(report(NOTHING, { interrupted: true }), context())).toBe(
    'interrupted: 205 unchanged in 1.9 s, 3 requests; running again is safe',
  );
});

test('what an interrupted sync did not reach is not called failed', () => {
  const skipped = {
    key: keyOf('article', 'billing/invoices', 'en'),
    kind: 'article',
    lang: 'en',
    action: 'update',
    outcome: 'skipped',
    message: 'interrupted before it was sent',
  } as const;
  const cut = report(NOTHING, { interrupted: true, results: [skipped] });
  expect(syncSum({ ...cut, summary: { ...cut.summary, skipped: 1 } }, context())).toBe(
    'interrupted: 205 unchanged, 1 not sent in 1.9 s, 3 requests; running again is safe',
  );
});

test('a shared state has no age on this machine, and is not taken for none', () => {
  expect(shownState({ stateAgeMs: undefined, hasSharedState: true })).toBe('shared state');
  expect(shownState({ stateAgeMs: undefined, hasSharedState: false })).toBe('no state yet');
});

describe('records that no file is any more', () => {
  const left = Array.from({ length: 40 }, (_, index) => ({
    kind: 'article' as const,
    id: `${index}`,
    name: `Old ${index}`,
    was: keyOf('article', `old-${index}`, 'en'),
  }));
  const lines = (more: Partial<PlanContext>) =>
    noteLines({ ...NOTHING, unmanaged: left }, { ...context(), ...more });

  test('are one sentence with the way out while there is no state, as after a move to an empty one', () => {
    expect(lines({ stateAgeMs: undefined })).toEqual([
      '  unmanaged article/old-0@en, article/old-1@en, article/old-2@en and 37 more: kbsync wrote them, and no file belongs to them now; they stay, because there is no state; with the state of the last sync (kbsync state push moves its file to where machines share it), --prune deletes them',
    ]);
  });

  test('are listed with a state, the first of many', () => {
    for (const state of [{ stateAgeMs: 1000 }, { stateAgeMs: undefined, hasSharedState: true }]) {
      const listed = lines(state);
      expect(listed).toHaveLength(21);
      expect(listed.at(-1)).toBe('  unmanaged … 20 more (--verbose lists all)');
    }
    expect(lines({ isVerbose: true, stateAgeMs: undefined })).toHaveLength(40);
  });
});

test('a plan of more records than a call takes is printed', () => {
  const one = change('create', 'article', 'a', 'en');
  const lines = planLines({ ...NOTHING, changes: Array.from({ length: 150_000 }, () => one) }, context());
  expect(lines.at(-1)).toContain('149,980 more articles');
});
