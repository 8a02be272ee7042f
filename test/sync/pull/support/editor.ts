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
  'tag',
  'tag gone',
] as const;

export interface ArticleBody {
  title: string;
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
