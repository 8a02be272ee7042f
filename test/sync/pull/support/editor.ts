import type { Site } from '../../../cli/support/site.ts';

/** What an editor does to an article in the web editor. */
export type EditKind = (typeof EDIT_KINDS)[number];

export const EDIT_KINDS = [
  'word',
  'words added',
  'bold',
  'item',
  'item gone',
  'cell',
  'row',
  'paragraph',
  'paragraph gone',
  'heading',
  'title',
  'renamed',
  'tag',
  'tag gone',
] as const;

export interface ArticleBody {
  title: string;
  slug: string;
  content: string;
  tags: { value: string }[];
}

/** Makes one change of a kind; false: the article has nothing of that kind. */
export function edit(
  body: ArticleBody,
  kind: EditKind,
  {
    random,
    mark,
    tags,
  }: { readonly random: () => number; readonly mark: string; readonly tags: readonly string[] },
): boolean {
  const [html = '', stamp = ''] =
    /^([\s\S]*?)(\s*<!--\s*kbsync [\s\S]*-->\s*)?$/.exec(body.content)?.slice(1) ?? [];
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const put = (text: string | undefined): boolean => {
    if (text === undefined || text === html) return false;
    body.content = `${text}${stamp}`;
    return true;
  };
  const at = (pattern: RegExp, make: (found: RegExpExecArray) => string): boolean => {
    const found = pick([...html.matchAll(pattern)]);
    if (found === undefined) return false;
    return put(`${html.slice(0, found.index)}${make(found)}${html.slice(found.index + found[0].length)}`);
  };
  switch (kind) {
    case 'word':
      return at(/(?<=>[^<>]*)\b[a-z]{3,}\b(?=[^<>]*<)(?![^<]*<\/h\d)/g, () => `w${mark}`);
    case 'words added':
      return at(
        /(?<=>[^<>]*)\b[a-z]{3,}\b(?=[^<>]*<)(?![^<]*<\/h\d)/g,
        ([word]) => `${word} and [more] w${mark}`,
      );
    case 'bold':
      return at(/(?<=<(?:p|li|td)>[^<>]*)\b[a-z]{3,}\b(?=[^<>]*<)/g, ([word]) => `<strong>${word}</strong>`);
    case 'item':
      return at(/<\/li>/g, () => `</li>\n<li>New item ${mark}</li>`);
    case 'item gone':
      return at(/<li>[^<]*<\/li>\n(?=<li>)/g, () => '');
    case 'cell':
      return at(/(?<=<td[^>]*>)[^<>]+(?=<\/td>)/g, () => `cell | ${mark}`);
    case 'row':
      return at(/<tr>(?:(?!<\/tr>)[\s\S])*<\/tr>\n?(?=<\/tbody>)/g, ([row]) => {
        const cells = row.replaceAll(/(?<=<td[^>]*>)[\s\S]*?(?=<\/td>)/g, `row ${mark}`);
        return `${row.trimEnd()}\n${cells}`;
      });
    case 'paragraph':
      return at(
        /(?<=<\/(?:p|ul|table|h2)>\n)(?=<(?:h2|ul|table|blockquote|ol|p|pre)\b)(?!<\/)/g,
        () => `<p>A paragraph ${mark} with <em>some</em> words.</p>\n`,
      );
    case 'paragraph gone':
      return put(html.replace(/<p>(?:(?!<p>)[\s\S])*<\/p>\s*$/, ''));
    case 'heading':
      return at(/(?<=<h2[^>]*>)[^<]+(?=<\/h2>)/g, ([words]) => `${words} ${mark}`);
    case 'title':
      body.title = `${body.title} ${mark}`;
      return true;
    case 'renamed':
      body.title = `${body.title} anew ${mark}`;
      body.slug = `renamed-${mark}`;
      return true;
    case 'tag': {
      const free = pick(tags.filter((id) => body.tags.every(({ value }) => value !== id)));
      if (free === undefined) return false;
      body.tags.push({ value: free });
      return true;
    }
    case 'tag gone':
      return body.tags.length > 1 && body.tags.pop() !== undefined;
  }
}

/** Somebody writes a new article on the site, in a category that is there. */
export async function newArticle(
  editor: Site,
  mark: string,
): Promise<{ readonly id: string; readonly title: string }> {
  const { data } = (await editor.ask('GET', '/api/v2/categories')) as { data: { id: string }[] };
  const title = `New ${mark}`;
  await editor.ask('PUT', '/api/v2/articles', {
    title,
    slug: `new-${mark}`,
    excerpt: '',
    status: 'published',
    ordering: 0,
    hideFromSearch: false,
    categories: data.slice(0, 1).map(({ id }) => ({ value: id })),
    tags: [],
    content: `<p>Somebody wrote this.</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<p>And that ${mark}.</p>`,
  });
  return { id: await editor.idOf(title), title };
}
