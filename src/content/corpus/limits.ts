import { OF_ORDER } from '../../model/fields.ts';
import type { FieldValue } from '../../model/fields.ts';
import { controlIn } from '../document/fields.ts';
import { isImplied, placeOf, slugOf } from './corpus.ts';
import type { Corpus, SourceFile } from './corpus.ts';
import type { Report } from './checks.ts';

/** The API's description names none of them. They are those of kbsync's own service, in characters, entries and addresses. */
const NAME_CHARS_MAX = 1000;
const SLUG_CHARS_MAX = 255;
const REFERENCES_MAX = 1000;
const LINKS_MAX = 5000;
const NUMBER_MAX = Number.MAX_SAFE_INTEGER;

/** Reports what a service may refuse although its type is right: also names and slugs that no front matter says. */
export function checkLimits(corpus: Corpus, report: Report): void {
  const languages = new Set<string>();
  for (const file of corpus.files) {
    checkLanguage(file, languages, report);
    const { fields, references, body, spots } = file.document;
    const limit = (
      field: string,
      unit: 'characters' | 'entries' | 'addresses',
      count: number,
      countMax: number,
    ): void => {
      if (count > countMax)
        report(placeOf(file, spots[field]), { code: 'beyond-limit', subject: field, unit, count, countMax });
    };
    for (const field of ['title', 'name'])
      limit(field, 'characters', charsOf(fields[field], NAME_CHARS_MAX), NAME_CHARS_MAX);
    limit('slug', 'characters', charsOf(slugOf(file), SLUG_CHARS_MAX), SLUG_CHARS_MAX);
    for (const field of ['categories', 'tags'] as const)
      limit(field, 'entries', references[field]?.length ?? 0, REFERENCES_MAX);
    for (const field of OF_ORDER) {
      const value = fields[field];
      if (typeof value === 'number' && Math.abs(value) > NUMBER_MAX)
        report(placeOf(file, spots[field]), {
          code: 'beyond-limit',
          subject: field,
          unit: 'value',
          count: value,
          countMax: NUMBER_MAX,
        });
    }
    const links = body?.outline.links ?? [];
    if (links.length > LINKS_MAX)
      limit('text', 'addresses', new Set(links.map(({ url }) => url)).size, LINKS_MAX);
    checkUnsaid(file, report);
  }
}

/** Names of folders and files become names and slugs too. Those in front matter are checked where they are read. */
function checkUnsaid(file: SourceFile, report: Report): void {
  const { fields, spots } = file.document;
  const unsaid = isImplied(file)
    ? { name: fields['name'], slug: slugOf(file) }
    : spots['slug'] === undefined
      ? { slug: slugOf(file) }
      : {};
  for (const [field, value] of Object.entries(unsaid)) {
    const shown = controlIn(field, value);
    if (shown !== undefined) report(placeOf(file, spots[field]), { code: 'control-character', field, shown });
  }
}

/** Reported at the first file of each language. */
function checkLanguage(file: SourceFile, seen: Set<string>, report: Report): void {
  const { lang, languageFolder: name } = file.place;
  if (seen.has(lang)) return;
  seen.add(lang);
  if (isLanguageCode(lang)) return;
  const [language = '', ...rest] = lang.split(/[-_]/);
  const meant = [language, ...rest.map((part) => (part.length === 2 ? part.toUpperCase() : part))].join('-');
  const suggestion = isLanguageCode(meant) ? { suggestion: meant } : {};
  report(placeOf(file, undefined), { code: 'language-code', name, lang, ...suggestion });
}

function isLanguageCode(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length === 1;
  } catch {
    return false;
  }
}

/** In Unicode characters, which are never more than UTF-16 units. */
function charsOf(value: FieldValue | undefined, charsMax: number): number {
  if (typeof value !== 'string') return 0;
  if (value.length <= charsMax) return value.length;
  let chars = 0;
  for (const _ of value) chars += 1;
  return chars;
}
