import { link } from '../parts/part-rule.ts';
import type { IncludeForm } from './form.ts';

const REFERENCE =
  /(?<![\w@`./\\[(])@(?:"([^"\n]{1,300})"|([A-Za-z][\w.*`-]{0,300}))|(?<!\]\()<xref:([^>?\s]{1,300})(?:\?[^>\s]{0,300})?>/g;

/**
 * DocFX: `@uid`, `@"uid"` and `<xref:uid>` link to the page with that uid, and show its title
 * (https://dotnet.github.io/docfx/docs/links-and-cross-references.html). Names that no page has are of code.
 */
export const DOCFX_REFERENCES: IncludeForm = {
  name: 'xref',
  *find(text, { file, page }) {
    if (!/@[A-Za-z"]|<xref:/.test(text)) return;
    for (const { 0: whole, 1: quoted, 2: bare, 3: tagged, index } of text.matchAll(REFERENCE)) {
      const written = quoted ?? bare ?? tagged ?? '';
      // The full stop of a sentence is no part of a name.
      const uid = bare === undefined ? written : written.replace(/[.`*-]+$/, '');
      const title = page.value?.(file, 'uid', [uid]);
      if (typeof title !== 'string') continue;
      const end = index + whole.length - (written.length - uid.length);
      yield { start: index, end, text: link(title, `xref:${uid}`) };
    }
  },
};
