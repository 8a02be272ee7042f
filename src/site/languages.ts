const RTL_SCRIPTS = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr']);

/** What `Intl` makes of a language costs more than a whole page; there are few languages. */
function remembered<Value>(make: (language: string) => Value): (language: string) => Value {
  const made = new Map<string, Value>();
  return (language) => {
    const known = made.get(language);
    if (known !== undefined) return known;
    // Codes come from addresses, too: anybody may make one up.
    if (made.size >= REMEMBERED_MAX) made.clear();
    const value = make(language);
    made.set(language, value);
    return value;
  };
}

const REMEMBERED_MAX = 500;

/** The way a language is written, by the script it is usually written in. */
export const directionOf = remembered((language): 'ltr' | 'rtl' =>
  RTL_SCRIPTS.has(localeOf(language).maximize().script ?? '') ? 'rtl' : 'ltr',
);

/** The language's name in itself: `Français`. */
export const nativeName = remembered((language): string => {
  const locale = localeOf(language);
  const name = nameIn(locale.baseName, locale.baseName);
  return name.charAt(0).toLocaleUpperCase(locale.baseName) + name.slice(1);
});

/** A language's name in another: `nameIn('fr', 'en')` is `French`. */
export function nameIn(language: string, reader: string): string {
  const { baseName } = localeOf(language);
  return namesIn(reader).of(baseName) ?? language;
}

const namesIn = remembered(
  (reader) => new Intl.DisplayNames([localeOf(reader).baseName], { type: 'language' }),
);

/** A count as a reader of the language writes it: `1,000`. */
export function countIn(count: number, reader: string): string {
  return numbersIn(reader).format(count);
}

const numbersIn = remembered((reader) => new Intl.NumberFormat(localeOf(reader).baseName));

/** Which form of a noun goes with the number. */
export function pluralOf(count: number, reader: string): Intl.LDMLPluralRule {
  return pluralsIn(reader).select(count);
}

const pluralsIn = remembered((reader) => new Intl.PluralRules(localeOf(reader).baseName));

/** `18 November 2026`, in the reader's language; the day is UTC's, as dates of the service are. */
export function dayIn(micros: number, reader: string): string {
  return daysIn(reader).format(new Date(micros / 1000));
}

const daysIn = remembered(
  (reader) => new Intl.DateTimeFormat(localeOf(reader).baseName, { dateStyle: 'long', timeZone: 'UTC' }),
);

/** Capital letters as the language has them: Turkish makes `İ` of `i`. */
export function capitalsIn(text: string, language: string): string {
  return text.toLocaleUpperCase(localeOf(language).baseName);
}

/** `2026-11-18`, for machines. */
export function isoDay(micros: number): string {
  return new Date(micros / 1000).toISOString().slice(0, 10);
}

/** In the order in which a reader of the language expects names. */
export function nameOrder(language: string): (a: string, b: string) => number {
  const collator = collatorOf(language);
  return (a, b) => collator.compare(a, b);
}

const collatorOf = remembered(
  (language) => new Intl.Collator(localeOf(language).baseName, { numeric: true }),
);

/** Whether a site has pages in a language, however its code is written. A text may be in one in which nothing is published yet. */
export function isServed(languages: readonly string[], language: string): boolean {
  return languages.some((one) => one.toLowerCase() === language.toLowerCase());
}

/** The first language of `Accept-Language` that there is, also by its primary tag (`fr-CA` takes `fr`). */
export function negotiated(accept: string | null, languages: readonly string[]): string | undefined {
  const wanted = (accept ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const weight = parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find(Boolean);
      return { tag: tag.toLowerCase(), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    const exact = languages.find((language) => language.toLowerCase() === tag);
    const near = languages.find((language) => primary(language) === primary(tag));
    if (exact !== undefined || near !== undefined) return exact ?? near;
  }
  return undefined;
}

function primary(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}

/** The service checks codes before it stores them; what is older than that check must not end a page. */
function localeOf(language: string): Intl.Locale {
  try {
    return new Intl.Locale(language);
  } catch {
    return new Intl.Locale('und');
  }
}
