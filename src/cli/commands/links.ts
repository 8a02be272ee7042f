import type { Link } from '../../contract/tools.ts';
import { EXIT } from '../exit.ts';
import type { LinkFlags } from '../flags.ts';
import { JSON_FORMAT } from '../json.ts';
import { counted } from '../numbers.ts';
import { tableLines, withTool } from '../read-tool.ts';
import type { World } from '../world.ts';

type LinkState = 'broken' | 'working' | 'unchecked';

/** `kbsync links`: the link manager's list. `--fail-on` looks at the links that the filters leave. */
export async function links(flags: LinkFlags, world: World): Promise<number> {
  return withTool('links', { flags, world }, ({ items, screen }) => {
    const has = (text: string, part: string | undefined): boolean =>
      part === undefined || text.toLowerCase().includes(part.toLowerCase());
    const found = items
      .filter((link) => has(link.articles.name, flags.article) && has(link.url, flags.url))
      .map((link) => ({ link, state: stateOf(link) }))
      .sort((a, b) => compare(a.link, b.link));
    const shown = found.filter(({ state }) => flags.only === undefined || state === flags.only);
    const count = (wanted: LinkState): number => found.filter(({ state }) => state === wanted).length;
    const summary = { broken: count('broken'), working: count('working'), unchecked: count('unchecked') };
    const exit = flags.failOn !== undefined && summary[flags.failOn] > 0 ? EXIT.failed : EXIT.done;
    if (screen.isJson) {
      screen.document({
        format: JSON_FORMAT,
        links: shown.map(({ link, state }) => ({
          state,
          url: link.url,
          article: link.articles.name,
          articleId: link.article_id,
          created: link.created_date,
        })),
        summary,
      });
      return exit;
    }
    for (const line of tableLines(shown.map(({ link, state }) => [state, link.url, link.articles.name]))) {
      screen.answer(line);
    }
    screen.answer(
      `${counted(found.length, 'link')}: ${summary.broken} broken, ${summary.working} working, ${summary.unchecked} not checked yet`,
    );
    return exit;
  });
}

function stateOf({ working }: Link): LinkState {
  if (working === null) return 'unchecked';
  return working ? 'working' : 'broken';
}

/** By article, then by address. */
function compare(a: Link, b: Link): number {
  const [one, other] = [`${a.articles.name}\n${a.url}`, `${b.articles.name}\n${b.url}`];
  return one < other ? -1 : one > other ? 1 : 0;
}
