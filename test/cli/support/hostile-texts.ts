/** What a title, a message or a file name may hold to drive a terminal or a CI runner. */
export const HOSTILE = [
  '\u001b[2J\u001b[31mred',
  '\u001b]0;window title\u0007',
  '\u009b31m',
  '\r::add-mask::secret',
  '\n::error file=a.md::forged',
  '\n::set-output name=x::y',
  '##[error]forged',
  'x ##[add-path]/tmp',
  '\u202egnp.exe',
  '\u2066\u2028line\u2029',
  'a\u0000b',
  '\u0008\u0008\u0008hidden',
  'zero\u200bwidth\ufeff',
];

const HIDDEN = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** What moves a cursor, hides, turns around or starts a line of its own, and commands of a CI runner. */
export function wildParts(text: string, onGitHub: boolean): readonly string[] {
  const lines = text.split('\n');
  return [
    ...lines.flatMap((line) => line.match(HIDDEN) ?? []),
    ...lines.filter((line) => line.startsWith('::') && !/^::(error|warning) file=content\//.test(line)),
    ...(onGitHub ? lines.filter((line) => line.includes('##[')) : []),
  ];
}
