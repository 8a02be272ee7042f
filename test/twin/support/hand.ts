import { BODY_OF, emptyValues, NAME_OF } from './service/row.ts';
import type { Kind, Row, Values } from './service/row.ts';
import type { Done, Site } from './service/site.ts';

/** A person, or another tool, at the service's own screen; what the service does not do for them stays undone. */
export interface Hand {
  /** A record of their own. */
  create(kind: Kind, name: string, slug: string, values?: Values): Row | undefined;
  /** Other words in a record's text; a comment at its end stays, as in most editors. */
  rewrite(row: Row): void;
  set(row: Row, values: Values): void;
  /** A translation of their own words. */
  translate(row: Row, language: string, values?: Values): Row | undefined;
  remove(row: Row): void;
}

export function createHand(site: Site, name: string): Hand {
  let works = 0;
  const words = (): string => `by${name}${++works}`;
  const rowOf = (done: Done): Row | undefined => (done.ok ? done.row : undefined);
  // What a person saves is the whole form, and the service rules over it as over everybody's.
  const set = (row: Row, values: Values): void => {
    site.edit(name, row, row.original === undefined ? undefined : row.language, values);
  };

  return {
    create(kind, title, slug, values = {}) {
      const sent = {
        ...emptyValues(kind),
        [NAME_OF[kind]]: title,
        slug,
        [BODY_OF[kind]]: `<p>${title} ${words()}</p>`,
        ...(kind === 'article' ? { status: 'published' } : {}),
        ...values,
      };
      return rowOf(site.create(name, kind, sent));
    },
    rewrite(row) {
      const field = BODY_OF[row.kind];
      const comments = /(?:\s*<!--(?:(?!-->)[\s\S])*-->)*\s*$/.exec(String(row.stored[field]))?.[0] ?? '';
      set(row, { [field]: `<p>Words ${words()}.</p>${comments}` });
    },
    set,
    translate(row, language, values = {}) {
      const sent: Values = {
        ...row.stored,
        [NAME_OF[row.kind]]: `${String(row.stored[NAME_OF[row.kind]])} (${language})`,
        [BODY_OF[row.kind]]: `<p>${language} ${words()}</p>`,
        ...values,
      };
      return rowOf(site.edit(name, row, language, sent));
    },
    remove(row) {
      site.remove(name, row);
    },
  };
}
