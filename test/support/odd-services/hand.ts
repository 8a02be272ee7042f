import type { Fields } from '../../../src/model/fields.ts';
import type { Kind } from '../../../src/model/key.ts';
import type { KnownRecord } from '../../../src/model/record.ts';
import type { Rig } from '../rig.ts';
import { knowledgeOf } from '../knowledge.ts';

/** An editor at the service's own screen: what they do is theirs, and must still be there afterwards. */
export interface Hand {
  /** An article of their own, in the categories of these names. */
  create(slug: string, categories?: readonly string[]): Promise<void>;
  /** Replaces fields of an article; `content` is the new text. The stamp, which is part of the HTML, stays. */
  edit(who: string, lang: string, fields: Readonly<Record<string, string>>): Promise<void>;
  /** A copy of an article, stamp and all, under another slug. */
  copy(who: string, slug: string): Promise<void>;
  translate(who: string, lang: string): Promise<void>;
  /** Ids of the records that they made. */
  readonly own: ReadonlySet<string>;
  /** Row id → what they wrote there: it must be found in the row's name or text. */
  readonly marks: ReadonlyMap<string, string>;
}

export function createHand(rig: Rig): Hand {
  const own = new Set<string>();
  const marks = new Map<string, string>();
  const remote = rig.editor();

  const make = async (kind: Kind, fields: Fields): Promise<void> => {
    const { id } = await remote.create(kind, fields, {});
    if (id !== undefined) own.add(id);
  };
  const rowOf = async (who: string) => {
    const found = (await knowledgeOf(rig.store)).find(({ kind, name }) => kind === 'article' && name === who);
    if (found === undefined) return undefined;
    const read = await remote.read('article', found.original ?? found.id, found.lang);
    if (read.state !== 'found') throw new Error(`the editor cannot open ${who}`);
    return { row: found, record: read.record };
  };

  return {
    own,
    marks,
    async create(slug, categories = []) {
      const rows = await knowledgeOf(rig.store);
      const ids = rows
        .filter(({ kind, name }) => kind === 'category' && categories.includes(name))
        .map(({ id }) => id);
      await make('article', {
        title: `${slug}.en`,
        slug,
        categories: ids,
        excerpt: 'By an editor',
        ordering: 7,
        status: 'published',
        content: `<p>${slug}.en by an editor</p>`,
      });
    },
    async edit(who, lang, fields) {
      const found = await rowOf(who);
      if (found === undefined) return; // a service that takes no translations has none to edit
      const { row, record } = found;
      const changed = {
        ...fields,
        ...(fields['title'] === undefined ? {} : { title: `${who} ${fields['title']}` }),
        content: withStamp(
          record,
          fields['content'] === undefined
            ? String(record.fields['content'])
            : `<p>${who} ${fields['content']}</p>`,
        ),
      };
      await remote.edit('article', record.id, lang, whole({ ...record.fields, ...changed }), {});
      marks.set(row.id, Object.values(fields)[0] ?? '');
    },
    async copy(who, slug) {
      const found = await rowOf(who);
      if (found === undefined) throw new Error(`${who} is not there to be copied`);
      const { record } = found;
      const content = withStamp(record, String(record.fields['content']));
      await make('article', whole({ ...record.fields, title: `${slug}.en`, slug, content }));
    },
    async translate(who, lang) {
      const found = await rowOf(who);
      if (found === undefined) throw new Error(`${who} is not there to be translated`);
      const { record } = found;
      const title = who.replace(/\.en$/, `.${lang}`);
      await remote.edit(
        'article',
        record.id,
        lang,
        whole({ ...record.fields, title, slug: `${lang}-${String(record.fields['slug'])}` }),
        {},
      );
      const made = await remote.read('article', record.id, lang);
      if (made.state === 'found') own.add(made.record.ownId);
    },
  };
}

function withStamp({ stamp }: KnownRecord, html: string): string {
  return stamp === undefined ? html : `${html}\n${stamp}`;
}

function whole(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
