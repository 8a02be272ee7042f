/**
 * `404.html`, which hosts show in the place of a page that is not there: GitHub Pages, Netlify and Cloudflare know it by this address
 * (https://docs.github.com/en/pages/getting-started-with-github-pages/creating-a-custom-404-page-for-your-github-pages-site).
 */
export function isErrorPage(address: unknown): boolean {
  return typeof address === 'string' && /^\/?404(?:\.html)?$/.test(address);
}

/** Why it is no page of the site. */
export const ERROR_PAGE = { leftOut: 'the site shows it for addresses without a page' };
