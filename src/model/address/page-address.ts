import type { Fields } from '../fields.ts';
import type { Kind } from '../key.ts';
import { urlOf } from '../../text/url.ts';

/** Where the site shows records, by kind: `/{lang}/articles/{slug}`, from the root or with a host. */
export type AddressTemplates = Readonly<Record<Kind, string>>;

/** The addresses of the included site. */
export const ADDRESS_TEMPLATES: AddressTemplates = {
  article: '/{lang}/articles/{slug}',
  category: '/{lang}/categories/{slug}',
  tag: '/{lang}/tags/{slug}',
};

/** The address of one record as the template has it: a path from the root, or a whole address. */
export function pageAddress(templates: AddressTemplates, kind: Kind, lang: string, slug: string): string {
  return templates[kind]
    .replaceAll('{lang}', encodeURIComponent(lang))
    .replaceAll('{slug}', encodeURIComponent(slug));
}

/** The same of a record, by its own slug. */
export function recordAddress(
  templates: AddressTemplates,
  { kind, lang, fields }: { readonly kind: Kind; readonly lang: string; readonly fields: Fields },
): string {
  return pageAddress(templates, kind, lang, String(fields['slug'] ?? ''));
}

/** The same with a host; `origin` is the host of addresses that name none. */
export function wholeAddress(address: string, origin: string): string {
  return urlOf(address, origin)?.href ?? address;
}
