import { flagOf, idOf, objectOf, textOf } from './values.ts';
import type { JsonObject } from '../../text/json-value.ts';

/** A row of the link manager; what it does not show is null. */
export interface FoundLink {
  readonly url: string;
  readonly article: string;
  readonly articleId: string | null;
  readonly created: string | null;
  /** null: not checked, or not told. */
  readonly isWorking: boolean | null;
}

export function linkOf(row: JsonObject): FoundLink {
  const article = objectOf(row['articles']);
  return {
    url: textOf(row['url']) ?? '',
    article: textOf(article?.['name']) ?? '',
    articleId: idOf(row['article_id']) ?? idOf(article?.['id']) ?? null,
    created: textOf(row['created_date']) ?? null,
    isWorking: flagOf(row['working']) ?? null,
  };
}

/** A row of the review dates. */
export interface Review {
  readonly id: string | null;
  readonly name: string;
  readonly status: string;
  /** null: that of the original. */
  readonly language: string | null;
  /** Empty where there is none that can be read. */
  readonly date: string;
  /** As the service tells it. */
  readonly author: JsonObject | null;
}

export function reviewOf(row: JsonObject): Review {
  const language = row['language'];
  return {
    id: idOf(row['id']) ?? null,
    name: textOf(row['name']) ?? '',
    status: textOf(row['status']) ?? '',
    language: typeof language === 'string' && language !== '' ? language : null,
    date: textOf(row['article_review_date']) ?? '',
    author: objectOf(row['users_articles_created_byTousers']) ?? null,
  };
}

/** A row of the release versions. */
export interface Release {
  readonly version: string;
  readonly name: string;
  readonly date: string;
  readonly isReleased: boolean;
  readonly isActive: boolean;
  readonly features: number;
}

export function releaseOf(row: JsonObject): Release {
  const features = row['changelog_features'];
  return {
    version: textOf(row['version']) ?? '',
    name: textOf(row['name']) ?? '',
    date: textOf(row['release_timestamp']) ?? '',
    isReleased: flagOf(row['released_version']) === true,
    isActive: flagOf(row['active_version']) === true,
    features: Array.isArray(features) ? features.length : 0,
  };
}

/** What readers looked for in vain. */
export interface Miss {
  readonly query: string;
  readonly language: string;
  readonly times: number;
  readonly date: string;
}

export function missOf(row: JsonObject): Miss {
  return {
    query: textOf(row['query']) ?? '',
    language: textOf(row['language']) ?? '',
    times: numberOf(row['times']),
    date: textOf(row['last_date']) ?? '',
  };
}

/** An article as readers met it. */
interface Met {
  readonly id: string | null;
  readonly name: string;
  readonly slug: string;
  readonly views: number;
  readonly date: string;
}

/** What readers said of an article. */
export interface Feedback extends Met {
  /** Null: that of the original. */
  readonly language: string | null;
  readonly helpful: number;
  readonly notHelpful: number;
}

export function feedbackOf(row: JsonObject): Feedback {
  return {
    ...metIn(row, 'last_date'),
    language: textOf(row['language']) ?? null,
    helpful: numberOf(row['helpful']),
    notHelpful: numberOf(row['not_helpful']),
  };
}

/** An article that is read; `date` is that of its last edit. */
export function staleOf(row: JsonObject): Met {
  return metIn(row, 'last_edited_date');
}

function metIn(row: JsonObject, date: string): Met {
  return {
    id: idOf(row['id']) ?? null,
    name: textOf(row['name']) ?? '',
    slug: textOf(row['slug']) ?? '',
    views: numberOf(row['views']),
    date: textOf(row[date]) ?? '',
  };
}

function numberOf(value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
}
