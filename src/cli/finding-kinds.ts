import { counted, grouped } from './numbers.ts';
import { visible } from './plain.ts';
import type { Finding } from './print-problems.ts';

/** Fewer findings are read faster than a table of them. */
const FINDINGS_MIN = 12;
const SUBJECTS_MAX = 12;

/** Whose page still reads well as it is written; of the others `allow` would publish what nobody meant. */
const OFTEN_ALLOWED: readonly string[] = ['dead-link', 'dead-anchor', 'missing-image', 'image-not-hosted'];

/** How many there are of each kind, most first, and the settings that settle many at once. Empty for a few findings. */
export function findingKinds(findings: readonly Finding[]): readonly string[] {
  if (findings.length < FINDINGS_MIN) return [];
  const kinds = tally(findings.map(({ code }) => code));
  const width = Math.max(...kinds.map(([code]) => code.length));
  const lines = kinds.map(([code, count]) => {
    const subjects = findings.flatMap((one) =>
      one.code === code && one.subject !== undefined ? [one.subject] : [],
    );
    return `${grouped(count).padStart(7)}  ${code.padEnd(width)}  ${subjectsLine(subjects)}`.trimEnd();
  });
  return ['', ...lines, ...settingLines(findings), ''];
}

function subjectsLine(subjects: readonly string[]): string {
  const counts = tally(subjects);
  const listed = counts.slice(0, SUBJECTS_MAX).map(([name, count]) => `${visible(name)} ${grouped(count)}`);
  const rest = counts.length - listed.length;
  return listed.join(', ') + (rest === 0 ? '' : ` and ${counted(rest, 'more name')}`);
}

function settingLines(findings: readonly Finding[]): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const codes = new Set(errors.map(({ code }) => code));
  const allowed = OFTEN_ALLOWED.filter((code) => codes.has(code));
  return [
    ...(codes.has('unknown-component')
      ? [
          '         in kbsync.yaml, `components: { NAME: keep }`, `drop` or `{ replace: … }` settles a name for all pages',
        ]
      : []),
    ...(allowed.length === 0
      ? []
      : [
          `         in kbsync.yaml, \`allow: [${allowed.join(', ')}]\` makes warnings of these, and the pages are sent as they are`,
        ]),
  ];
}

/** Most first; ties by name. */
function tally(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
}
