import { expect, test } from 'vitest';
import {
  annotations,
  findingFrames,
  findingLine,
  findingSum,
  type Finding,
  findingKinds,
  listedFindings,
  moreLine,
} from '../../../src/cli/print/problems.ts';
import { paint } from '../../../src/cli/print/terminal/paint.ts';
import { golden } from '../support/golden.ts';

const FILES: Readonly<Record<string, string>> = {
  'fr/articles/billing/refunds.md': '---\ntitle: Remboursements : délais\n---\n',
  'fr/articles/billing/invoices.md': '---\ntitle: Factures\nstatus: draft\ntags: [cli, refnd]\n---\n',
  'ja/articles/返金.md': `---\ntitle: 返金\n---\n返金は [こちら](${'x'.repeat(200)}) です\n`,
  'tabs.md': '---\n\ttitle: a\u001b[31m\n---\n',
};

const FINDINGS: readonly Finding[] = [
  {
    severity: 'error',
    code: 'front-matter-yaml',
    message: 'a value with `: ` inside needs quotes',
    at: { file: 'fr/articles/billing/refunds.md', line: 2, column: 23 },
    repaired: 'title: "Remboursements : délais"',
  },
  {
    severity: 'error',
    code: 'unknown-tag',
    message: 'no tag file defines `refnd`; did you mean `refund`?',
    at: { file: 'fr/articles/billing/invoices.md', line: 4, column: 13 },
  },
  {
    severity: 'warning',
    code: 'dead-link',
    message: 'no file for the link',
    at: { file: 'ja/articles/返金.md', line: 4, column: 5 },
    width: 4,
  },
  {
    severity: 'error',
    code: 'front-matter-yaml',
    message: 'a tab',
    at: { file: 'tabs.md', line: 2, column: 2 },
  },
  {
    severity: 'error',
    code: 'config',
    message: 'unknown setting `colour`',
    at: { file: 'kbsync.yaml', line: 3, column: 1 },
    help: 'settings here are name, logo',
  },
  {
    severity: 'error',
    code: 'bad-encoding',
    message: 'not UTF-8',
    at: { file: 'gone.md', line: 1, column: 1 },
  },
];

test('a terminal gets the place, the line, a caret under the fault and the repair', async () => {
  const frames = await findingFrames(FINDINGS, (file) => Promise.resolve(FILES[file]), paint(false));
  const printedText = `${frames.join('\n\n')}\n`;
  expect(printedText).toBe(await golden('problems-frames', 'check.txt', printedText));
});

test('elsewhere each problem is one line that editors can match', async () => {
  const printedText = `${FINDINGS.map(findingLine).join('\n')}\n`;
  expect(printedText).toBe(await golden('problems-lines', 'check.txt', printedText));
  for (const finding of FINDINGS)
    expect(findingLine(finding)).toMatch(/^.+:\d+:\d+: (error|warning) [a-z-]+: .+$/);
});

test('the sum counts errors, warnings and files', () => {
  expect(findingSum(FINDINGS, 214)).toBe('5 errors, 1 warning in 6 of 214 files');
});

test('many findings are summed up by kind, with the settings that settle many at once', () => {
  const at = { file: 'a.md', line: 1, column: 1 };
  const of = (code: string, subject?: string): Finding => ({
    severity: 'error',
    code,
    message: 'm',
    at,
    ...(subject === undefined ? {} : { subject }),
  });
  const findings = [
    ...Array.from({ length: 9 }, () => of('unknown-component', 'tab')),
    of('unknown-component', 'a\u001b[31m'),
    of('dead-link'),
    of('dead-link'),
  ];
  expect(findingKinds(findings)).toEqual([
    '',
    '     10  unknown-component  tab 9, a\\x1b[31m 1',
    '      2  dead-link',
    '',
    'for kbsync.yaml, if these pages are to be sent as they are:',
    '',
    'components: # keep the text, { keep: [attribute] } with texts of attributes, drop all of it, or { replace: "…" }',
    '  tab: keep # 9',
    '  "a\\u001b[31m": keep # 1',
    'allow: [dead-link] # sent as they are, with a warning',
    '',
  ]);
  expect(findingKinds(findings.slice(1))).toEqual([]);
  const shown = listedFindings(findings, false);
  expect(shown.map(({ more }) => more)).toEqual([0, 0, 6, 0, 0, 0]);
  expect(shown.flatMap((one) => (one.more > 0 ? [moreLine(one)] : []))).toEqual([
    '… 6 more of unknown-component tab (kbsync check --verbose lists all)',
  ]);
  expect(listedFindings(findings, true)).toHaveLength(12);
});

const paths = { cwd: '/repo/site', workspace: '/repo' };

test('GitHub gets annotations with paths from the workspace, and nothing can break out of them', () => {
  const evil: Finding = {
    severity: 'error',
    code: 'dead-link',
    message: '100%\n::set-output name=x::y',
    at: { file: 'a,b:c.md', line: 3, column: 7 },
  };
  expect(annotations([evil], paths)).toEqual([
    '::error file=site/a%2Cb%3Ac.md,line=3,col=7,title=dead-link::100%25\\x0a::set-output name=x::y',
  ]);
});

test('GitHub shows ten of a kind: the tenth says how many there are besides', () => {
  const many = Array.from({ length: 43 }, (_, i): Finding => ({
    ...(FINDINGS[1] as Finding),
    at: { file: 'a.md', line: i + 1, column: 1 },
  }));
  const lines = annotations(many, paths);
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe('::error::34 more errors: kbsync check --verbose lists all');
});

test('the line that is offered for a component keeps the texts of its attributes, or says that nothing is left', () => {
  const one = (subject: string, isShown: boolean, ...attributes: readonly string[]): Finding => ({
    severity: 'error',
    code: 'unknown-component',
    message: 'unknown',
    subject,
    at: { file: 'a.md', line: 1, column: 1 },
    kept: { isShown, attributes },
  });
  const long = `name: 'seed',\n  type: '${'x'.repeat(200)}'`;
  const lines = findingKinds([
    ...Array.from({ length: 5 }, () => one('Info', false, 'type')),
    ...Array.from({ length: 4 }, () => one('Info', true, 'since', 'type')),
    ...Array.from({ length: 3 }, () => one('Check', false)),
    one('Card', false),
    one('Card', true),
    one(long, true),
  ]);
  expect(lines[1]).toBe(
    `     15  unknown-component  Info 9, Check 3, Card 2, ${`name: 'seed', type: '${'x'.repeat(60)}`.slice(0, 59)}… 1`,
  );
  expect(lines.slice(6, -1)).toEqual([
    '  Info: { keep: [type, since] } # 9',
    '  Check: keep # 3; it has no text, so nothing is shown: { replace: "…" } gives it one',
    '  Card: keep # 2',
  ]);
});
