import { z } from 'zod';
import type { Kind } from '../../../model/key.ts';
import { EXCERPT_CHARS_MAX } from '../../../contract/texts.ts';

const text = z.string();
const line = z.string().min(1);
const address = z
  .string()
  .regex(/^(?:https?:\/\/[^\s/]|\/)/i)
  .nullable();
const names = z.array(line).nullable();
const shared = {
  slug: line.optional().describe('Last part of the address. Default: last part of the path.'),
  translationKey: line
    .optional()
    .describe('Path of the original, such as billing/refunds, if this file has another path.'),
  movedFrom: z
    .union([line, z.array(line)])
    .optional()
    .describe('Earlier path of the record, or a list of them. So a renamed file keeps its record.'),
  aliases: z
    .union([address, z.array(address)])
    .nullable()
    .optional()
    .describe('Earlier address of the page, or a list of them. Each leads to this page.'),
  lang: line.optional().describe('The language of the folder. kbsync accepts no other value.'),
};

const article = z.looseObject({
  title: line.describe('The headline. Required.'),
  slug: shared.slug,
  categories: names
    .optional()
    .describe('Paths or slugs of categories. null or [] removes all. If absent, editors decide on the site.'),
  tags: names
    .optional()
    .describe('Paths or slugs of tags. null or [] removes all. If absent, editors decide on the site.'),
  excerpt: text
    .nullable()
    .optional()
    .describe(
      `A short summary. kbsync cuts a text of more than ${EXCERPT_CHARS_MAX} characters after a word. Default: the first paragraph, at the first sync.`,
    ),
  ordering: z
    .number()
    .nullable()
    .optional()
    .describe(
      'Place in the category, small numbers first. Default: the number at the start of the file name; a new translation has its original’s place.',
    ),
  status: z
    .enum(['published', 'draft'])
    .optional()
    .describe(
      '`published` or `draft`. Default: published at the first sync; after that, what the site says.',
    ),
  hideFromSearch: z
    .boolean()
    .nullable()
    .optional()
    .describe('true keeps the article out of the search. If absent, editors decide on the site.'),
  seoBannerUrl: address
    .optional()
    .describe('Address of an image for previews: https:// or /. If absent, editors decide on the site.'),
  articleReviewDate: z
    .string()
    .nullable()
    .optional()
    .describe(
      'When somebody should review the text: 2026-03-01 or 2026-03-01T09:00:00Z. If absent, editors decide on the site.',
    ),
  publishAt: z
    .string()
    .nullable()
    .optional()
    .describe(
      'When the article becomes public: 2030-01-01 or 2030-01-01T09:00:00Z. Until then it is a draft.',
    ),
  unpublishAt: z.string().nullable().optional().describe('When the article becomes a draft again.'),
  translationKey: shared.translationKey,
  movedFrom: shared.movedFrom,
  aliases: shared.aliases,
  lang: shared.lang,
});

const category = z.looseObject({
  name: line.describe('The name. Required.'),
  slug: shared.slug,
  priority: z.number().nullable().optional().describe('Place among its siblings, small numbers first.'),
  categoryParent: line
    .nullable()
    .optional()
    .describe('Path or slug of the category above. Default: the category of the parent folder.'),
  description: text
    .nullable()
    .optional()
    .describe('One or two sentences. If absent, editors decide on the site.'),
  thumbnailUrl: address
    .optional()
    .describe('Address of an image: https:// or /. If absent, editors decide on the site.'),
  iconUrl: address
    .optional()
    .describe('Address of an icon: https:// or /. If absent, editors decide on the site.'),
  translationKey: shared.translationKey,
  movedFrom: shared.movedFrom,
  aliases: shared.aliases,
  lang: shared.lang,
});

const tag = z.looseObject({
  name: line.describe('The name. Required.'),
  slug: shared.slug,
  description: text
    .nullable()
    .optional()
    .describe('One or two sentences. If absent, editors decide on the site.'),
  translationKey: shared.translationKey,
  movedFrom: shared.movedFrom,
  aliases: shared.aliases,
  lang: shared.lang,
});

/**
 * What may stand in the front matter of our own layout, by kind. The body is the text below it. Keys of other tools may
 * stand beside, because to the command they are no error either: `check` warns of those that `ignoreKeys` does not name.
 */
export const FRONT_MATTER: Readonly<Record<Kind, z.ZodObject>> = { article, category, tag };
