import type { Dialect } from '../preset.ts';
import { OWN_FIELDS } from './page-preset.ts';

/** The dialect of a system that writes strict YAML, `title` and `description`; `version` is the layout's name with a number. */
export function pageDialect(
  version: string,
  translate: Dialect['translate'],
  { fields = {}, ...rest }: Partial<Dialect> = {},
): Dialect {
  return {
    version,
    form: 'strict',
    addressKeys: [],
    hasCaselessKeys: false,
    hasHeadingTitles: true,
    translate,
    ...rest,
    fields: {
      ...OWN_FIELDS,
      title: ['title'],
      name: ['title'],
      excerpt: ['description'],
      description: ['description'],
      tags: ['tags'],
      ...fields,
    },
  };
}
