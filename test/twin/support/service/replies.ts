import { sameLanguage, shownId } from './site.ts';
import type { Site } from './site.ts';
import { listOf } from './site.ts';
import type { Json, Rewrite } from './habit.ts';
import { nameOf } from './row.ts';
import type { Kind, Row, Value, Values } from './row.ts';

const CREATOR = { username: 'ada', first_name: 'Ada', last_name: 'Byron', email_address: 'ada@acme.test' };
const SITE_ID = 'site-1';

export interface Replies {
  item(row: Row): Json;
  /** A single read of what is shown for a language: undefined asks for the row itself. */
  record(row: Row, language: string | undefined): Json;
  /** What is shown of a language in which there is no record. */
  newVersion(row: Row, language: string): Json;
  link(row: Row, url: string, number: number): Json;
  review(row: Row): Json;
}

/** The bodies of the API text, field by field. */
export function createReplies(site: Site, shows: readonly Rewrite[], now: () => number): Replies {
  const { rules } = site;

  const shown = (row: Row, values = site.visible(row)): Values => {
    const inherited =
      rules.inheritsEmpty && row.original !== undefined ? filled(values, row.original.stored) : values;
    const related =
      rules.translatedRelations && row.original !== undefined
        ? translated(inherited, row.language)
        : inherited;
    return Object.fromEntries(
      Object.entries(related).map(([field, value]) => [
        field,
        shows.reduce((result, rewrite) => rewrite(result, field, row.kind), value),
      ]),
    );
  };

  const translated = (values: Values, language: string): Values => ({
    ...values,
    ...Object.fromEntries(
      (['categories', 'tags'] as const)
        .filter((field) => values[field] !== undefined)
        .map((field) => [
          field,
          listOf(values[field]).map((id) => {
            const target = site.rows.find((row) => row.id === id && row.original === undefined);
            return target === undefined ? id : (site.inLanguage(target, language)?.id ?? id);
          }),
        ]),
    ),
  });

  const languagesOf = (row: Row): readonly Json[] => {
    if (rules.namesTranslations === 'none') return [];
    const rows = site
      .translationsOf(row)
      .filter(
        (each) =>
          each.listedMs <= now() &&
          (rules.namesTranslations !== 'published' ||
            each.kind !== 'article' ||
            each.stored['status'] === 'published'),
      );
    const codes = rows.map(({ language }) => ({ language }));
    return rules.namesTranslations === 'own-too' ? [{ language: row.language }, ...codes] : codes;
  };

  const item = (row: Row): Json => {
    const values = shown(row);
    const id = shownId(row, rules);
    const name = values[row.kind === 'article' ? 'title' : 'name'];
    switch (row.kind) {
      case 'article':
        return {
          id,
          name,
          status: row.deleted === undefined ? values['status'] : rules.deletedStatus,
          last_edited_date: dateText(editedMs(row), rules.dates),
          ai_summary: textOf(values['content']).slice(0, 80),
          other_articles: languagesOf(row),
          users_articles_created_byTousers: CREATOR,
          _count: { tracking: row.views },
        };
      case 'category':
        return {
          id,
          name,
          order_by: values['priority'],
          other_categories_categories_language_parentTocategories: languagesOf(row),
          users_categories_created_byTousers: CREATOR,
          article_relationships: firstArticleIn(row),
          other_categories_categories_parent_idTocategories: parentName(values['categoryParent']),
        };
      case 'tag':
        return {
          id,
          name,
          slug: values['slug'],
          other_tags: languagesOf(row),
          users_tags_created_byTousers: CREATOR,
          tag_relationship: tagged(row),
        };
    }
  };

  const firstArticleIn = (row: Row): Json | null => {
    const article = site
      .living('article')
      .find((each) => each.original === undefined && listOf(each.stored['categories']).includes(row.id));
    if (article === undefined) return null;
    return {
      added_date: iso(article.createdMs),
      category_id: row.id,
      id: `c-${article.id}`,
      site_id: SITE_ID,
    };
  };

  const parentName = (id: Value | undefined): Json | null => {
    const parent = site.living('category').find((row) => row.id === id);
    return parent === undefined ? null : { name: nameOf(parent) };
  };

  const tagged = (row: Row): readonly Json[] =>
    site
      .living('article')
      .filter((each) => each.original === undefined && listOf(each.stored['tags']).includes(row.id))
      .map((each) => ({
        added_by: 'u-1',
        added_date: iso(each.createdMs),
        article_id: shownId(each, rules),
        id: `t-${each.id}`,
        site_id: SITE_ID,
        tag_id: row.id,
      }));

  const data = (row: Row, values: Values, atMs = editedMs(row)): Json => {
    const common = {
      id: shownId(row, rules),
      slug: values['slug'],
      language: row.original === undefined && rules.originalLanguage === 'null' ? null : row.language,
      language_parent: row.original === undefined ? null : shownId(row.original, rules),
    };
    switch (row.kind) {
      case 'article':
        return {
          ...common,
          name: values['title'],
          content: values['content'],
          excerpt: values['excerpt'],
          order_by: values['ordering'],
          status: row.deleted === undefined ? values['status'] : rules.deletedStatus,
          created_date: iso(row.createdMs),
          article_parent: null,
          last_edited_Date: iso(atMs),
          seo_banner_url: values['seoBannerUrl'],
          hide_from_search: values['hideFromSearch'],
          article_review_date: values['articleReviewDate'],
          tags_relationship: listOf(values['tags']).map((id) => ({ id: `tl-${id}`, tag_id: id })),
          article_relationships: listOf(values['categories']).map((id) => ({
            id: `cl-${id}`,
            category_id: id,
          })),
        };
      case 'category':
        return {
          ...common,
          name: values['name'],
          order_by: values['priority'],
          parent_id: values['categoryParent'],
          thumbnail_url: values['thumbnailUrl'],
          description: values['description'],
          long_description: values['longDescription'],
          icon_url: values['iconUrl'],
        };
      case 'tag':
        return {
          ...common,
          name: values['name'],
          description: values['description'],
          long_description: values['longDescription'],
        };
    }
  };

  const choice = (kind: Kind, ids: readonly string[]): readonly Json[] =>
    ids.map((value) => {
      const row = site.rows.find((each) => each.kind === kind && each.id === value);
      return { id: `o-${value}`, label: row === undefined ? '' : nameOf(row), value };
    });

  const reply = (row: Row, values: Values, changes: Json, isNew: boolean, atMs = editedMs(row)): Json => ({
    success: true,
    message: 'OK',
    data: { ...data(row, values, atMs), ...changes },
    newVersion: isNew,
    ...(row.kind === 'article'
      ? {
          isDraft: row.draft === undefined ? null : { id: row.draft.id },
          categories: choice('category', listOf(values['categories'])),
          tags: choice('tag', listOf(values['tags'])),
        }
      : {}),
  });

  return {
    item,
    record: (row, language) => {
      const copy = site.single(row);
      return reply(
        row,
        shown(row, copy.stored),
        language !== undefined && row.original !== undefined ? { language: row.language } : {},
        false,
        editedMs(row, copy.editedMs),
      );
    },
    newVersion: (row, language) =>
      rules.missingLanguage === 'new-version-empty'
        ? { success: true, message: 'OK', data: null, newVersion: true }
        : reply(row, shown(row), { language: sameLanguage(language, row.language) ? null : language }, true),
    link: (row, url, number) => ({
      id: `l-${row.id}-${number}`,
      site_id: SITE_ID,
      article_id: shownId(row.original ?? row, rules),
      url,
      created_date: iso(row.createdMs),
      working: true,
      articles: { id: shownId(row.original ?? row, rules), name: nameOf(row) },
    }),
    review: (row) => ({
      id: shownId(row, rules),
      name: nameOf(row),
      status: row.stored['status'],
      article_review_date: row.stored['articleReviewDate'],
      language: row.original === undefined ? null : row.language,
      users_articles_created_byTousers: CREATOR,
    }),
  };

  function editedMs(row: Row, atMs = row.editedMs): number {
    const moved =
      rules.editedMoves === 'never' ? row.createdMs : rules.editedMoves === 'view' ? atMs + row.views : atMs;
    return moved + rules.clockOffMs;
  }
}

function filled(values: Values, from: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      value === '' || value === null ? (from[field] ?? value) : value,
    ]),
  );
}

function textOf(html: Value | undefined): string {
  return String(html ?? '').replaceAll(/<!--[\s\S]*?-->|<[^>]*>/g, '');
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

function dateText(atMs: number, form: string): string | number {
  const text = iso(atMs);
  switch (form) {
    case 'iso':
      return text;
    case 'seconds':
      return text.slice(0, 19).replace('T', ' ');
    case 'minutes':
      return text.slice(0, 16).replace('T', ' ');
    case 'local':
      return `${text.slice(8, 10)}.${text.slice(5, 7)}.${text.slice(0, 4)}, ${text.slice(11, 19)}`;
    case 'offset':
      return `${new Date(atMs + 7_200_000).toISOString().slice(0, 19)}+02:00`;
    case 'epoch':
      return Math.floor(atMs / 1000);
    default:
      return `${text.slice(0, 23).replace('T', ' ')}000`;
  }
}
