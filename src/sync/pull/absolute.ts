/** Where an image of a page lies. `page`: the absolute address of the page; the reference can be resolved there. */
export function absolute(reference: string, page: string): URL {
  const url = new URL(reference, page);
  url.hash = '';
  url.username = '';
  url.password = '';
  return url;
}
