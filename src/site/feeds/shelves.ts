import { isListed } from '../../service/listed.ts';
import { allArticles, filing, type ListedArticle } from '../data/articles.ts';
import { type Category, readCategories } from '../data/categories.ts';
import type { Edition } from '../data/edition.ts';

/** A category with the articles that stand there first; undefined: those that stand nowhere. */
export interface Shelf {
  readonly category: Category | undefined;
  readonly articles: readonly ListedArticle[];
}

/** All public articles that are really in the language, each once, in the order of the site. */
export async function shelvesOf(edition: Edition): Promise<readonly Shelf[]> {
  const { roots } = await readCategories(edition);
  // A text in another language is listed under that language.
  const articles = (await allArticles(edition)).filter(
    (article) => isListed(article, edition.drafts) && article.language === edition.language,
  );
  const categoriesOf = await filing(edition);
  const byCategory = new Map<string, ListedArticle[]>();
  for (const article of articles) {
    const first = categoriesOf.get(article.id)?.[0] ?? '';
    const shelf = byCategory.get(first);
    if (shelf === undefined) byCategory.set(first, [article]);
    else shelf.push(article);
  }
  const walk = (category: Category): readonly Shelf[] => [
    { category, articles: byCategory.get(category.id) ?? [] },
    ...category.children.flatMap(walk),
  ];
  return [...roots.flatMap(walk), { category: undefined, articles: byCategory.get('') ?? [] }];
}
