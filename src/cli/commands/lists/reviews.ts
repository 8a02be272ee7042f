import { canonicalDate } from '../../../model/compare/canonical.ts';
import { EXIT } from '../../run/exit.ts';
import type { ReviewsFlags } from './command.ts';
import { momentOf } from '../../flags.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { tableLines } from '../../print/terminal/text.ts';
import { withTool } from './read-list.ts';
import { reviewOf, type Review } from '../../../remote/wire/decode-tools.ts';
import type { World } from '../../world.ts';

const DAY_MS = 86_400_000;

/** `kbsync reviews`: articles by review date. With `--due`, exit 1 when there are any until then. */
export async function reviews(flags: ReviewsFlags, world: World): Promise<number> {
  const nowMs = world.clock.now();
  const dueMs = flags.due === undefined ? undefined : dueMoment(flags.due, nowMs);
  return withTool({ name: 'reviews', itemOf: reviewOf }, { flags, world }, ({ items, screen, settings }) => {
    const defaultLanguage = settings.file.defaultLanguage ?? 'en';
    const shown = items
      .map((entry) => shownReview(entry, defaultLanguage))
      .filter(({ status }) => flags.status === undefined || status === flags.status)
      .filter(({ lang }) => flags.lang.length === 0 || flags.lang.includes(lang))
      .filter(({ atMs }) => dueMs === undefined || atMs <= dueMs)
      .sort((a, b) => a.atMs - b.atMs);
    const overdue = shown.filter(({ atMs }) => atMs < nowMs).length;
    const exit = dueMs !== undefined && shown.length > 0 ? EXIT.failed : EXIT.done;
    if (screen.isJson) {
      const entries = shown.map(({ atMs, ...entry }) => ({ ...entry, isOverdue: atMs < nowMs }));
      screen.document({ format: JSON_FORMAT, reviews: entries, summary: { shown: shown.length, overdue } });
      return exit;
    }
    const rows = shown.map(({ date, atMs, lang, status, name }) => [
      date.slice(0, 10),
      atMs < nowMs ? 'overdue' : `in ${counted(Math.floor((atMs - nowMs) / DAY_MS), 'day')}`,
      lang,
      status,
      name,
    ]);
    for (const line of tableLines(rows)) screen.answer(line);
    screen.answer(`${counted(shown.length, 'article')} to review, ${overdue} overdue`);
    return exit;
  });
}

function shownReview(entry: Review, defaultLanguage: string) {
  const { id, name, status, language, author } = entry;
  const date = canonicalDate(entry.date) ?? entry.date;
  const atMs = Date.parse(date);
  return {
    id,
    name,
    status,
    lang: language ?? defaultLanguage,
    date,
    author,
    // A date that nobody can read is shown first and is due.
    atMs: Number.isNaN(atMs) ? 0 : atMs,
  };
}

/** The end of that day. */
function dueMoment(text: string, nowMs: number): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return nowMs + Number(days) * DAY_MS;
  const atMs = momentOf('--due', text, '30d, 2026-12-31 or 2026-12-31T18:00Z');
  return text.includes('T') ? atMs : atMs + DAY_MS - 1;
}
