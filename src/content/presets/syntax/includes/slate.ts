import { posix } from 'node:path';
import { frontMatter } from '../../../front-matter/read.ts';
import type { IncludeForm, Inclusion } from './form.ts';

/**
 * Slate: `includes: [errors]` in the front matter puts `includes/_errors.md` behind the text of the page, in this order; addresses in it count from
 * the page (https://github.com/slatedocs/slate/wiki/Adding-Content#including-other-files). Other programs use the key for other things, so at least one of
 * the files must be there.
 */
export const SLATE_INCLUDES: IncludeForm = {
  name: 'includes',
  *find(text, { file, page }) {
    // A text that is put into the page has no front matter of its own here.
    if (file !== page.file) return;
    const said = frontMatter(page.readText(file) ?? '', 'strict').values.get('includes');
    const names = Array.isArray(said) ? said.filter((name): name is string => typeof name === 'string') : [];
    if (names.length === 0) return;
    const parts: string[] = [];
    let missing: Inclusion | undefined;
    for (const name of names) {
      const files = [posix.dirname(file), '.'].map((folder) =>
        posix.join(folder, 'includes', posix.dirname(name), `_${posix.basename(name)}.md`),
      );
      const part = files.map((path) => page.readText(path)).find((found) => found !== undefined);
      if (part === undefined) missing ??= { start: 0, end: 0, files };
      else parts.push(part.trim());
    }
    if (parts.length === 0) return;
    if (missing !== undefined && text !== '') yield missing;
    yield { start: text.length, end: text.length, text: `\n\n${parts.join('\n\n')}\n` };
  },
};
