import type { Habit } from '../service/habit.ts';

/** Reading, writing and naming translations. */
export const LANGUAGES = {
  'translations-by-own-id-only': { rules: { readsLanguage: 'own-id' } },
  'translations-are-rows-read-by-own-id': { rules: { readsLanguage: 'own-id', listTranslations: true } },
  'lang-on-reads-is-ignored': { rules: { readsLanguage: 'ignored' } },
  'lang-on-reads-is-refused': { rules: { readsLanguage: 'refused' } },
  'missing-language-is-404': { rules: { missingLanguage: 'not-found' } },
  'missing-language-shows-the-original': { rules: { missingLanguage: 'original' } },
  'missing-language-has-no-data': { rules: { missingLanguage: 'new-version-empty' } },
  'other-languages-are-refused': { rules: { languages: ['en', 'fr'], foreignLanguage: 'refuses' } },
  'other-languages-get-a-yes': { rules: { languages: ['en'], foreignLanguage: 'says-yes' } },
  'german-gets-a-yes': { rules: { languages: ['en', 'fr'], foreignLanguage: 'says-yes' } },
  'other-languages-edit-the-original': { rules: { languages: ['en'], foreignLanguage: 'edits-original' } },
  'lang-on-edits-is-ignored': { rules: { editsLanguage: 'original' } },
  'lang-on-edits-is-refused': { rules: { editsLanguage: 'refuses' } },
  'lang-on-edits-gets-a-yes': { rules: { editsLanguage: 'says-yes' } },
  'a-first-translation-is-a-copy': { rules: { editsLanguage: 'copy-first' } },
  'translations-come-with-the-original': { rules: { translationsCome: 'with-original' } },
  'translations-come-without-comments': {
    rules: { translationsCome: 'with-original' },
    stores: (value) => (typeof value === 'string' ? value.replaceAll(/\s*<!--[\s\S]*?-->/g, '') : value),
  },
  'translations-begin-as-drafts': { rules: { translationsBegin: 'draft' } },
  'the-default-language-is-refused': { rules: { editsDefault: 'refuses' } },
  'originals-name-their-language': { rules: { originalLanguage: 'code' } },
  'lists-name-no-translations': { rules: { namesTranslations: 'none' } },
  'lists-name-public-translations': { rules: { namesTranslations: 'published' } },
  'lists-name-the-original-too': { rules: { namesTranslations: 'own-too' } },
  'originals-name-a-region': {
    shapes:
      () =>
      (body, { reply }) => {
        const data = body['data'] as { language?: unknown; language_parent?: unknown } | null | undefined;
        const isOriginal = reply === 'read' && body['newVersion'] !== true && data?.language === null;
        return isOriginal ? { ...body, data: { ...data, language: 'en-US' } } : body;
      },
  },
  'languages-are-shown-with-a-region': {
    writes: (text) =>
      text
        .replaceAll(/"language":"fr"/g, '"language":"fr-FR"')
        .replaceAll(/"language":"de"/g, '"language":"de-DE"'),
  },
  'originals-are-their-own-parents': {
    shapes:
      () =>
      (body, { reply }) => {
        const data = body['data'] as { id?: unknown; language?: unknown } | null | undefined;
        const isOriginal = reply === 'read' && body['newVersion'] !== true && data?.language === null;
        return isOriginal ? { ...body, data: { ...data, language: 'en', language_parent: data.id } } : body;
      },
  },
  'languages-have-three-letters': {
    writes: (text) =>
      text
        .replaceAll(/"language":"fr"/g, '"language":"fra"')
        .replaceAll(/"language":"de"/g, '"language":"deu"'),
  },
  'languages-in-small-letters': { rules: { spellsLanguage: 'lower' } },
  'languages-with-underscores': { rules: { spellsLanguage: 'underscore' } },
  'languages-small-with-underscores': { rules: { spellsLanguage: 'lower-underscore' } },
  'languages-get-a-region': { rules: { spellsLanguage: 'upper-region' } },
  'languages-share-the-status': { rules: { shared: ['status'] } },
  'languages-share-the-slug': { rules: { shared: ['slug'] } },
  'languages-share-the-order': { rules: { shared: ['ordering', 'priority'] } },
  'languages-share-relations': { rules: { shared: ['categories', 'tags', 'categoryParent'] } },
  'languages-share-excerpt-and-banner': { rules: { shared: ['excerpt', 'seoBannerUrl', 'description'] } },
  'translations-show-translated-categories': { rules: { translatedRelations: true } },
  'translations-inherit-what-is-empty': { rules: { inheritsEmpty: true } },
  'categories-are-translated-first': { rules: { translationNeedsCategory: true } },
  'translations-do-not-move-the-date': { rules: { translationMoves: false } },
} as const satisfies Readonly<Record<string, Habit>>;
