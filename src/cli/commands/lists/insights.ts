import { SetupError } from '../../../config/setup-error.ts';
import { RemoteError } from '../../../remote/error.ts';
import { type Feedback, feedbackOf, type Miss, missOf, staleOf } from '../../../remote/wire/decode-tools.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import type { Screen } from '../../print/terminal/screen.ts';
import { tableLines } from '../../print/terminal/text.ts';
import type { World } from '../../world.ts';
import type { InsightsFlags } from './command.ts';
import { type Reading, withReading } from './read-list.ts';

const DAY_MS = 86_400_000;
/** What the service gives of each list. */
const ROWS_MAX = 1000;

type Old = ReturnType<typeof staleOf> & { readonly days: number };

/** `kbsync insights`: where the help centre does not help. */
export async function insights(flags: InsightsFlags, world: World): Promise<number> {
  return withReading({ flags, world }, async ({ remote, screen, settings }) => {
    const defaultLanguage = settings.file.defaultLanguage ?? 'en';
    const isWanted = (language: string): boolean => flags.lang.length === 0 || flags.lang.includes(language);
    const read = rowsFrom(remote);
    const searches = (await read('search-misses')).map(missOf).filter(({ language }) => isWanted(language));
    const feedback = (await read('feedback'))
      .map(feedbackOf)
      .filter(({ notHelpful, language }) => notHelpful > 0 && isWanted(language ?? defaultLanguage));
    const stale = (await read('stale'))
      .map((row) => oldOf(row, world.clock.now()))
      .filter(({ days }) => days >= flags.staleAfter && isWanted(defaultLanguage));
    return () => {
      const found = {
        searches: searches.slice(0, flags.count),
        feedback: feedback.slice(0, flags.count),
        stale: stale.slice(0, flags.count),
      };
      if (screen.isJson) screen.document(documentOf(found, defaultLanguage));
      else print(found, { defaultLanguage, staleAfter: flags.staleAfter, screen });
      return EXIT.done;
    };
  });
}

type List = 'search-misses' | 'feedback' | 'stale';

/** @throws SetupError when the service has no such lists */
function rowsFrom(
  remote: Reading['remote'],
): (list: List) => Promise<Awaited<ReturnType<typeof remote.tool>>> {
  return async (list) => {
    try {
      return await remote.tool(list, { count: ROWS_MAX });
    } catch (error) {
      if (!(error instanceof RemoteError) || error.status !== 404) throw error;
      throw new SetupError('refused', 'this service does not tell what readers search, say and read', {
        help: 'kbsync serve does, and says `insights` in KB-Capabilities',
        cause: error,
      });
    }
  };
}

function oldOf(row: Parameters<typeof staleOf>[0], nowMs: number): Old {
  const read = staleOf(row);
  const editedMs = Date.parse(read.date);
  // Of a date that nobody can read, nobody can say that it is long ago.
  return { ...read, days: Number.isNaN(editedMs) ? 0 : Math.floor((nowMs - editedMs) / DAY_MS) };
}

interface Found {
  readonly searches: readonly Miss[];
  readonly feedback: readonly Feedback[];
  readonly stale: readonly Old[];
}

function documentOf({ searches, feedback, stale }: Found, defaultLanguage: string): object {
  return {
    format: JSON_FORMAT,
    searches: searches.map(({ query, language, times, date }) => ({
      query,
      lang: language,
      times,
      last: date,
    })),
    feedback: feedback.map(({ language, date, ...article }) => ({
      ...article,
      lang: language ?? defaultLanguage,
      last: date,
    })),
    stale: stale.map(({ date, ...article }) => ({ ...article, lang: defaultLanguage, lastEdited: date })),
    summary: { searches: searches.length, feedback: feedback.length, stale: stale.length },
  };
}

function print(
  { searches, feedback, stale }: Found,
  {
    defaultLanguage,
    staleAfter,
    screen,
  }: { readonly defaultLanguage: string; readonly staleAfter: number; readonly screen: Screen },
): void {
  const section = (title: string, rows: readonly (readonly string[])[]): void => {
    if (rows.length === 0) return;
    screen.answer(title);
    for (const line of tableLines(rows)) screen.answer(`  ${line}`);
    screen.answer('');
  };
  section(
    'Searches without a result, in the last 90 days',
    searches.map(({ query, language, times, date }) => [
      counted(times, 'time'),
      language,
      query,
      `last ${date.slice(0, 10)}`,
    ]),
  );
  section(
    'Articles that readers did not find helpful',
    feedback.map(({ name, slug, language, helpful, notHelpful, views }) => [
      `${notHelpful} of ${counted(helpful + notHelpful, 'answer')}`,
      language ?? defaultLanguage,
      slug,
      name,
      counted(views, 'view'),
    ]),
  );
  section(
    `Articles that are read, and that nobody edited for ${counted(staleAfter, 'day')}`,
    stale.map(({ name, slug, views, days }) => [counted(views, 'view'), counted(days, 'day'), slug, name]),
  );
  screen.answer(
    `${counted(searches.length, 'search', 'searches')} without a result, ${counted(feedback.length, 'article')} not helpful, ${stale.length} old and read`,
  );
}
