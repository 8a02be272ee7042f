import type { Standing } from '../runs/standings.ts';
import { CONDITIONS } from '../runs/verdict.ts';
import { escapedHtml } from '../../text/escaped-html.ts';

const WORDS: Readonly<Record<Standing['condition'], string>> = {
  'in-sync': 'in sync',
  drift: 'drift',
  conflict: 'conflict',
  stopped: 'stopped',
  failing: 'failing',
  'never-run': 'never run',
};

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}th,td{text-align:start;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8885;vertical-align:top}
.stopped,.conflict,.failing{font-weight:600}time{white-space:nowrap}code{font-size:.9em}`;

/** The page `/fleet`: a table without scripts; what needs a person stands first. */
export function fleetPage(standings: readonly Standing[]): string {
  const counts = [...CONDITIONS, 'never-run' as const]
    .map((condition) => [condition, standings.filter((one) => one.condition === condition).length] as const)
    .filter(([, count]) => count > 0)
    .map(([condition, count]) => `${count} ${WORDS[condition]}`)
    .join(', ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="30">
<title>Fleet: ${counts}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Fleet</h1>
<p>${counts}</p>
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Condition</th><th scope="col">Since</th><th scope="col">Last run</th><th scope="col">Commits behind</th><th scope="col">Owner</th><th scope="col">Message</th></tr></thead>
<tbody>
${standings.map(rowOf).join('\n')}
</tbody>
</table>
</main>
</body>
</html>
`;
}

function rowOf({ name, owner, condition, origin, outcome }: Standing): string {
  const cells = [
    `<th scope="row"><a href="${escaped(origin)}">${escaped(name)}</a></th>`,
    `<td class="${condition}">${WORDS[condition]}</td>`,
    `<td>${timeOf(outcome?.since)}</td>`,
    `<td>${timeOf(outcome?.at)}</td>`,
    `<td>${outcome?.behind ?? '–'}</td>`,
    `<td>${escaped(owner ?? '–')}</td>`,
    `<td>${escaped(outcome?.message ?? '')}</td>`,
  ];
  return `<tr>${cells.join('')}</tr>`;
}

function timeOf(iso: string | undefined): string {
  if (iso === undefined) return '–';
  const text = escaped(iso);
  return `<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')}</time>`;
}

function escaped(text: string): string {
  return escapedHtml(text).replaceAll("'", '&#39;');
}
