/** HTML in Markdown as one block: an indent would be code, and a blank line would end the block. In code, blanks count. */
export function asOneBlock(html: string): string {
  return html
    .trim()
    .split(/(<pre\b[\s\S]*?<\/pre>)/i)
    .map((piece, index) => (index % 2 === 1 ? piece.replaceAll(/\n(?=[ \t]*\n)/g, '&#10;') : inLines(piece)))
    .join('');
}

function inLines(html: string): string {
  const lines = html
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isApart = { before: /^[ \t]*\n/.test(html), behind: /\n[ \t]*$/.test(html) && lines.length > 0 };
  return `${isApart.before ? '\n' : ''}${lines.join('\n')}${isApart.behind ? '\n' : ''}`;
}
