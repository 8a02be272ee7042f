import { frontMatter } from '../../front-matter/read.ts';
import type { PageSystem, PresetInput } from './page-preset.ts';
import { valueAt } from './side-file.ts';

/** What Vue's expressions know of the page they stand in: `$frontmatter.title`. */
export function frontMatterValues({
  readText,
}: Pick<PresetInput, 'readText'>): NonNullable<PageSystem['value']> {
  return (file, name, keys) => {
    if (name !== '$frontmatter') return undefined;
    const values: unknown = Object.fromEntries(frontMatter(readText(file) ?? '', 'strict').values);
    return keys.reduce(valueAt, values);
  };
}
