import { expect, test } from 'vitest';
import {
  annotations,
  findingFrames,
  findingLine,
  findingSum,
  type Finding,
} from '../../src/cli/print-problems.ts';
import { findingKinds } from '../../src/cli/finding-kinds.ts';
import { paint } from '../../src/cli/colour.ts';
import { golden } from './golden.ts';

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
    help: 'title: "Remboursements : délais"',
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
  expect(findingSum(FINDINGS, 214)).toBe('4 errors, 1 warning in 5 of 214 files');
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
    '         in kbsync.yaml, `components: { NAME: keep }`, `drop` or `{ replace: … }` settles a name for all pages',
    '         in kbsync.yaml, `allow: [dead-link]` makes warnings of these, and the pages are sent as they are',
    '',
  ]);
  expect(findingKinds(findings.slice(1))).toEqual([]);
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
  expect(lines.at(-1)).toBe('::error::34 more errors: kbsync check lists all');
});
