import type { Edit } from '../../../preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';

/**
 * kramdown's extensions (https://kramdown.gettalong.org/syntax.html#extensions): `{::comment}` shows nothing up to `{:/}` or `{:/comment}`,
 * `{::nomarkdown}` shows what is inside as it is, `{::options … /}` sets something. They have no attributes that a reader sees.
 */
export function extensions({ body, inCode }: Source): Found {
  if (!body.includes('{::')) return NOTHING;
  const edits: Edit[] = [];
  let opened: { readonly name: string; readonly start: number; readonly end: number } | undefined;
  for (const { 0: whole, 1: slash, 2: name = '', 3: self, index } of body.matchAll(EXTENSION)) {
    if (inCode(index)) continue;
    const end = index + whole.length;
    if (slash === ':') {
      if (opened !== undefined || name === '') continue;
      if (self === '/' || name === 'options') edits.push({ start: index, end, text: '' });
      else opened = { name, start: index, end };
      continue;
    }
    if (opened === undefined || (name !== '' && name !== opened.name)) continue;
    if (opened.name === 'comment') edits.push({ start: opened.start, end, text: '' });
    else edits.push({ start: opened.start, end: opened.end, text: '' }, { start: index, end, text: '' });
    opened = undefined;
  }
  return edits.length === 0 ? NOTHING : { edits };
}

const EXTENSION = /\{:([:/])(?:(comment|nomarkdown|options)\b)?[^{}\n]{0,200}?(\/?)\}/g;
