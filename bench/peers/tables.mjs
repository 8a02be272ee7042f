/** The two tables as Markdown, to be copied into docs/operations/benchmarks-peers.md. */

const CASES = ['first sync', 'nothing changed', 'one page changed'];

/** One table for each case; `x` says how much longer a tool took than kbsync against its service on disk. */
export function printCosts(rows) {
  for (const name of CASES) {
    const lines = rows
      .filter((row) => row.case === name || row.case === undefined)
      .map((row) => costLine(row, rows));
    if (lines.length === 0) continue;
    console.log(`\n### ${name[0].toUpperCase()}${name.slice(1)}\n`);
    printLines(['tool', 'pages', 'requests', 'wall', 'x kbsync', 'CPU', 'memory', 'runs'], lines);
  }
}

function costLine(row, rows) {
  const tool = `${row.tool}${row.version === undefined ? '' : ` ${row.version}`} (${row.note})`;
  const pages = row.pages?.toLocaleString('en') ?? '';
  if (row.notRun !== undefined) return [tool, pages, row.notRun, '', '', '', '', ''];
  const ours = rows.find(
    (other) => other.tool === 'kbsync' && other.pages === row.pages && other.case === row.case,
  );
  const times = row.wallMs / ours?.wallMs;
  return [
    tool,
    pages,
    row.requests?.toLocaleString('en') ?? '',
    row.isCutOff ? '> 300 s' : seconds(row.wallMs),
    Number.isNaN(times) ? '' : `${row.isCutOff ? '> ' : ''}${times.toFixed(1)}`,
    row.cpuMs === undefined ? '' : seconds(row.cpuMs),
    row.rssMb === undefined ? '' : `${Math.round(row.rssMb)} MB`,
    row.runs === undefined ? '' : String(row.runs),
  ];
}

export function printFaults(rows) {
  printFault(rows, 'limit', 'A server that takes 15 requests a second', {
    heads: ['pages missing', 'too many', 'exit', 'wall', 'requests', 'refused'],
    cells: (row) => [row.missing, row.extra, exitOf(row), seconds(row.wallMs), row.requests, row.refused],
  });
  printFault(rows, 'lose', 'A server that commits and answers 503, each tenth create', {
    heads: [
      'answers lost',
      'too many',
      'missing',
      'exit',
      'wall',
      'too many after a second run',
      'missing',
      'exit',
    ],
    cells: (row) => [
      row.lost,
      row.extra,
      row.missing,
      exitOf(row),
      seconds(row.wallMs),
      row.again.extra,
      row.again.missing,
      exitOf(row.again),
    ],
  });
}

function printFault(rows, name, title, { heads, cells }) {
  const lines = rows
    .filter((row) => row.case === name)
    .map((row) => [
      `${row.tool} (${row.note})`,
      ...(row.notRun === undefined ? cells(row).map(String) : [row.notRun, ...heads.slice(1).map(() => '')]),
    ]);
  if (lines.length === 0) return;
  console.log(`\n### ${title}\n`);
  printLines(['tool', ...heads], lines);
}

function exitOf({ exit, isCutOff }) {
  return isCutOff ? '> 300 s' : (exit ?? '');
}

function seconds(ms) {
  return ms < 9_950 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 1000).toFixed(1)} s`;
}

function printLines(heads, lines) {
  const cells = [heads, ...lines];
  const widths = heads.map((_, at) => Math.max(3, ...cells.map((line) => line[at].length)));
  const [head, ...body] = cells.map(
    (line) =>
      `| ${line.map((text, at) => (at === 0 ? text.padEnd(widths[at]) : text.padStart(widths[at]))).join(' | ')} |`,
  );
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  console.log([head, `| ${rule.join(' | ')} |`, ...body].join('\n'));
}
