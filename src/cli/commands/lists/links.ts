import { EXIT } from '../../run/exit.ts';
import type { LinksFlags } from './command.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { tableLines } from '../../print/terminal/text.ts';
import { withTool } from './read-list.ts';
import { linkOf, type FoundLink } from '../../../remote/wire/decode-tools.ts';
import type { World } from '../../world.ts';

type LinkState = 'broken' | 'working' | 'unchecked';

/** `kbsync links`: the link manager's list. `--fail-on` looks at the links that the filters leave. */
export async function links(flags: LinksFlags, world: World): Promise<number> {
  return withTool({ name: 'links', itemOf: linkOf }, { flags, world }, ({ items, screen }) => {
    const has = (text: string, part: string | undefined): boolean =>
      part === undefined || text.toLowerCase().includes(part.toLowerCase());
    const found = items
      .filter((link) => has(link.article, flags.article) && has(link.url, flags.url))
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
          article: link.article,
          articleId: link.articleId,
          created: link.created,
        })),
        summary,
      });
      return exit;
    }
    for (const line of tableLines(shown.map(({ link, state }) => [state, link.url, link.article]))) {
      screen.answer(line);
    }
    screen.answer(
      `${counted(found.length, 'link')}: ${summary.broken} broken, ${summary.working} working, ${summary.unchecked} not checked yet`,
    );
    return exit;
  });
}

function stateOf({ isWorking }: FoundLink): LinkState {
  if (isWorking === null) return 'unchecked';
  return isWorking ? 'working' : 'broken';
}

/** By article, then by address. */
function compare(a: FoundLink, b: FoundLink): number {
  const [one, other] = [`${a.article}\n${a.url}`, `${b.article}\n${b.url}`];
  return one < other ? -1 : one > other ? 1 : 0;
}
