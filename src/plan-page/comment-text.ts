import { visible } from '../model/visible.ts';

/** What GitHub takes in one comment, or as the text of a pull request. */
const CHARS_MAX = 65_536;

/** Lines up to what a comment holds, with room for the end; what does not fit is counted. */
export function budgeted(head: string, { foot, rest }: { readonly foot: string; readonly rest: string }) {
  const room = CHARS_MAX - foot.length - 200;
  let text = head;
  let left = 0;
  let close = '';
  return {
    open(line: string, end: string): void {
      if (text.length + line.length > room) return;
      text += `\n${line}`;
      close = end;
    },
    add(line: string): void {
      if (left > 0 || text.length + line.length + 1 > room) left += 1;
      else text += `\n${line}`;
    },
    end: (): string =>
      `${text}${close}\n${left === 0 ? '' : `\n${left} more do not fit into a comment; ${rest}.\n`}\n${foot}\n`,
  };
}

/** Text that no Markdown reads as anything else, on one line. */
export function plain(text: string): string {
  return visible(text.replaceAll(/\s+/g, ' '))
    .replaceAll(/[\\`*_{}[\]<>|#~]/g, (sign) => `\\${sign}`)
    .replaceAll('@', '@\u200b');
}

export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

export function code(text: string): string {
  return `\`${visible(text.replaceAll(/\s+/g, ' ')).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
