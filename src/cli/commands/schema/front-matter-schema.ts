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
    .describe('Path of the original below its kind folder, where the paths of the two differ.'),
  movedFrom: z
    .union([line, z.array(line)])
    .optional()
    .describe('Path, or paths, that the record had before: the renamed file keeps it.'),
  aliases: z
    .union([address, z.array(address)])
    .nullable()
    .optional()
    .describe('Address, or addresses, that the page had before: they lead to it.'),
  lang: line.optional().describe('May repeat the language of the folder, and nothing else.'),
};

const article = z.looseObject({
  title: line.describe('The headline. Required.'),
  slug: shared.slug,
  categories: names.optional().describe('Paths or slugs of categories. Absent: not ours; null or []: none.'),
  tags: names.optional().describe('Paths or slugs of tags. Absent: not ours; null or []: none.'),
  excerpt: text
    .nullable()
    .optional()
    .describe(
      `A text of more than ${EXCERPT_CHARS_MAX} characters is cut at a word. Default: the first paragraph, at the first sync.`,
    ),
  ordering: z
    .number()
    .nullable()
    .optional()
    .describe('Place in the category, small first. Default: the number in front of the file name.'),
  status: z
    .enum(['published', 'draft'])
    .optional()
    .describe('Default: published at the first sync; later what the site says.'),
  hideFromSearch: z.boolean().nullable().optional().describe('Keep it out of the search. Absent: not ours.'),
  seoBannerUrl: address.optional().describe('Image for previews, https:// or /. Absent: not ours.'),
  articleReviewDate: z
    .string()
    .nullable()
    .optional()
    .describe('When it is to be read again: 2026-03-01 or 2026-03-01T09:00:00Z. Absent: not ours.'),
  publishAt: z
    .string()
    .nullable()
    .optional()
    .describe('From when on it is public: 2030-01-01 or 2030-01-01T09:00:00Z. Until then it is a draft.'),
  unpublishAt: z.string().nullable().optional().describe('From when on it is a draft again.'),
  translationKey: shared.translationKey,
  movedFrom: shared.movedFrom,
  aliases: shared.aliases,
  lang: shared.lang,
});

const category = z.looseObject({
  name: line.describe('The name. Required.'),
  slug: shared.slug,
  priority: z.number().nullable().optional().describe('Place among its siblings, small first.'),
  categoryParent: line
    .nullable()
    .optional()
    .describe('Path or slug of the category above. Default: the category of the parent folder.'),
  description: text.nullable().optional().describe('One or two sentences. Absent: not ours.'),
  thumbnailUrl: address.optional().describe('Image, https:// or /. Absent: not ours.'),
  iconUrl: address.optional().describe('Icon, https:// or /. Absent: not ours.'),
  translationKey: shared.translationKey,
  movedFrom: shared.movedFrom,
  aliases: shared.aliases,
  lang: shared.lang,
});

const tag = z.looseObject({
  name: line.describe('The name. Required.'),
  slug: shared.slug,
  description: text.nullable().optional().describe('One or two sentences. Absent: not ours.'),
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
