import { relative, resolve, sep } from 'node:path';
import { digestOfText } from '../../model/digest.ts';
import { PROBLEM_SEVERITY, isProblemCode } from '../../model/problem.ts';
import type { Plan } from '../../plan/plan.ts';
import { visible } from '../../model/visible.ts';
import { annotations, type Finding } from './problems.ts';
import type { ReportFormat } from '../flags.ts';
import type { World } from '../world.ts';
import { escapedHtml } from '../../text/escaped-html.ts';

/** What a report contains, in any format. */
export interface Report {
  readonly command: 'check' | 'plan' | 'sync';
  readonly findings: readonly Finding[];
  /** What stops or failed without a place in a file. */
  readonly notices: readonly Notice[];
  /** What `--json` prints. */
  readonly document: Readonly<Record<string, unknown>>;
}

interface Notice {
  readonly code: string;
  readonly message: string;
}

/** The report as text; undefined for `text` and `json`, which each command prints itself. */
export function reportText(
  format: ReportFormat | undefined,
  report: Report,
  world: World,
): string | undefined {
  switch (format) {
    case undefined:
    case 'text':
    case 'json':
      return undefined;
    case 'ndjson':
      return ndjsonText(report, world);
    case 'sarif':
      return JSON.stringify(sarif(report, world), undefined, 2);
    case 'junit':
      return junitText(report, world);
    case 'github':
      return githubText(report, world);
  }
}

/** Problems, then conflicts at the line of the field that differs. */
export function planFindings(plan: Plan, findings: readonly Finding[]): readonly Finding[] {
  const conflicts = plan.conflicts.flatMap((conflict): readonly Finding[] => {
    const at = conflict.fields.find((field) => field.at !== undefined)?.at ?? conflict.at;
    if (at === undefined) return [];
    const fields = conflict.fields.map((field) => field.field).join(', ');
    const message = `${conflict.key}: ${fields} (${conflict.code})`;
    return [{ severity: 'error', code: 'conflict', message, at }];
  });
  return [...findings, ...conflicts];
}

/** Guards that stopped the run, and conflicts of records without a file. */
export function planNotices(plan: Plan): readonly Notice[] {
  return [
    ...plan.refusals.map(({ code, message }) => ({ code, message })),
    ...plan.conflicts
      .filter(({ at, fields }) => at === undefined && fields.every((field) => field.at === undefined))
      .map(({ key, code }) => ({ code: 'conflict', message: `${key} (${code})` })),
  ];
}

/** Relative to the workspace where a runner names one, with `/`: that is where viewers look for the file. */
function fileOf(finding: Finding, world: World): string {
  const root = world.env['GITHUB_WORKSPACE'] ?? world.env['CI_PROJECT_DIR'];
  const { file } = finding.at;
  const path = root === undefined || root === '' ? file : relative(root, resolve(world.cwd, file));
  return path.split(sep).join('/');
}

/** One line each: the start with the format's version, every entry of the lists that `--json` has, the sum. */
function ndjsonText({ command, document }: Report, world: World): string {
  const lines: object[] = [
    { format: 1, type: 'start', message: `kbsync ${world.version} ${command}`, command },
  ];
  for (const [name, type] of ENTRIES) {
    const list = document[name];
    if (!Array.isArray(list)) continue;
    for (const entry of list as readonly Readonly<Record<string, unknown>>[]) {
      lines.push({ ...entry, type, message: messageOf(type, entry) });
    }
  }
  const { summary, requests } = document;
  lines.push({
    type: 'summary',
    message: `${command} ended`,
    summary,
    ...(requests === undefined ? {} : { requests }),
  });
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

const ENTRIES = [
  ['problems', 'problem'],
  ['refusals', 'refusal'],
  ['conflicts', 'conflict'],
  ['changes', 'change'],
  ['kept', 'kept'],
  ['blocked', 'blocked'],
  ['drift', 'drift'],
  ['lost', 'lost'],
  ['unmanaged', 'unmanaged'],
  ['results', 'result'],
] as const;

function messageOf(type: string, entry: Readonly<Record<string, unknown>>): string {
  if (typeof entry['message'] === 'string') return entry['message'];
  const words = [entry['action'] ?? type, entry['key'] ?? entry['name'], entry['outcome']];
  return words.filter((word) => typeof word === 'string').join(' ');
}

/** SARIF 2.1.0 as code scanning services take it: columns start at 1, a fingerprint that survives moved lines. */
function sarif({ findings, notices }: Report, world: World) {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const seen = new Map<string, number>();
  const results = findings.map((finding) => {
    const uri = fileOf(finding, world);
    const facts = `${finding.code}\n${uri}\n${finding.message}`;
    const nth = seen.get(facts) ?? 0;
    seen.set(facts, nth + 1);
    const region = {
      startLine: finding.at.line,
      startColumn: finding.at.column,
      ...(finding.width === undefined ? {} : { endColumn: finding.at.column + finding.width }),
    };
    return {
      ruleId: finding.code,
      ruleIndex: codes.indexOf(finding.code),
      level: finding.severity,
      message: { text: finding.message },
      locations: [{ physicalLocation: { artifactLocation: { uri: addressOf(uri) }, region } }],
      partialFingerprints: { 'kbsync/v1': digestOfText(`${facts}\n${nth}`) },
    };
  });
  const rules = codes.map((code) => ({
    id: code,
    shortDescription: { text: code.replaceAll('-', ' ') },
    defaultConfiguration: { level: isProblemCode(code) ? PROBLEM_SEVERITY[code] : 'error' },
  }));
  const notifications = notices.map(({ code, message }) => ({
    level: 'error',
    descriptor: { id: code },
    message: { text: message },
  }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'kbsync', version: world.version, rules } },
        invocations: [
          { executionSuccessful: notices.length === 0, toolExecutionNotifications: notifications },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
}

/** A path as a relative reference of RFC 3986: `#`, `?`, `%` and `:` are letters of a name. */
function addressOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Viewers name a case by `classname` and `name` and pass over the message attribute: the text is in the element. */
function junitText({ command, findings, notices }: Report, world: World): string {
  const failures = findings.filter(({ severity }) => severity === 'error').length + notices.length;
  const cases = [
    ...findings.map((finding) => {
      const { code, severity, message, at } = finding;
      const place = `${fileOf(finding, world)}:${at.line}:${at.column}`;
      const body =
        severity === 'error'
          ? `<failure type="${severity}">${xml(`${place}: ${message}`)}</failure>`
          : `<system-out>${xml(`warning: ${place}: ${message}`)}</system-out>`;
      return testcase(fileOf(finding, world), `${code} ${at.line}:${at.column}`, body);
    }),
    ...notices.map(({ code, message }) =>
      testcase('kbsync', code, `<failure type="error">${xml(message)}</failure>`),
    ),
  ];
  const all = cases.length === 0 ? [testcase('kbsync', `${command}: nothing wrong`, '')] : cases;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="kbsync ${command}" tests="${all.length}" failures="${failures}" errors="0">`,
    ...all,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function testcase(classname: string, name: string, body: string): string {
  return `    <testcase classname="${xml(classname)}" name="${xml(name)}">${body}</testcase>`;
}

function xml(text: string): string {
  return escapedHtml(visible(text));
}

/** Workflow commands, whether a runner is seen or not; then the sum as a notice. */
function githubText({ command, findings, notices, document }: Report, world: World): string {
  const paths = { cwd: world.cwd, workspace: world.env['GITHUB_WORKSPACE'] };
  const counts = Object.entries(document['summary'] ?? {})
    .filter(([, count]) => typeof count === 'number' && count > 0)
    .map(([name, count]) => `${name} ${String(count)}`);
  return [
    ...annotations(findings, paths),
    ...notices.map(
      ({ code, message }) =>
        `::error title=${code}::${message.replaceAll('%', '%25').replaceAll(/[\r\n]+/g, ' ')}`,
    ),
    `kbsync ${command}: ${counts.length === 0 ? 'nothing to report' : counts.join(', ')}`,
  ].join('\n');
}
