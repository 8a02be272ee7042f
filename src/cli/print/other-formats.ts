import type { OtherFormat } from '../../content/reading/other-formats.ts';
import { counted } from './terminal/numbers.ts';

/** `not read: 3 files in other formats (AsciiDoc 2, Org 1); kbsync reads Markdown alone` */
export function otherFormatsLine(formats: readonly OtherFormat[]): string {
  const files = formats.reduce((sum, each) => sum + each.files, 0);
  const named = formats.map((each) => `${each.format} ${each.files}`).join(', ');
  return `not read: ${counted(files, 'file')} in other formats (${named}); kbsync reads Markdown alone`;
}
