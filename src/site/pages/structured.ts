import { type Html, trusted } from '../html.ts';

/** One step of the way to a page, for schema.org. */
interface Crumb {
  readonly name: string;
  readonly path: string;
}

/** The way from the start page down to the page itself: schema.org, BreadcrumbList. */
export function breadcrumbList(origin: string, crumbs: readonly Crumb[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: origin + path,
    })),
  };
}

/** Data, no program: browsers run nothing of it, whatever it says. A `<` could end the element, so it is written otherwise. */
export function structuredData(things: readonly object[]): Html {
  const elements = things.map(
    (thing) =>
      `<script type="application/ld+json">${JSON.stringify(thing).replaceAll('<', '\\u003c')}</script>`,
  );
  return trusted(elements.join(''));
}
