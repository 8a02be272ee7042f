import type { Send } from '../../../src/remote/remote.ts';
import { categoryInUse, translationsOfDeleted } from './deletes.ts';
import {
  deleteAs404,
  errorsAs200,
  idInBody,
  noLocation,
  notFoundAs,
  plain,
  rateLimited,
  refusesEach,
} from './headers.ts';
import { langIgnored, langRejected, langUnreadable } from './languages.ts';
import {
  cutLists,
  laggingLists,
  laggingReads,
  orderAsText,
  otherIds,
  otherZone,
  translationKeepsDate,
  translationRows,
  viewsMoveDates,
} from './lists.ts';
import type { Oddity, OddWorld } from './seam.ts';
import { slugsAcrossLanguages, slugsTwice } from './slugs.ts';
import { commentsStripped, normalisedHtml, resetsLeftOut, sanitisedHtml } from './text.ts';

/**
 * Services that fill the spec's gaps otherwise than ours, by what is odd about them; the outermost oddity first. Nearly all
 * are `plain`: nobody who fills the gaps otherwise would send the headers that say how ours fills them.
 */
export const ODD_SERVICES = {
  headers: {
    ours: [],
    'no-location': [noLocation],
    plain: [plain()],
    'plain+location': [plain('Location')],
    'id-in-body': [plain(), idInBody],
    'etag-not-honoured': [plain('ETag', 'Location')],
    'ids-encoded': [plain('Location'), otherIds('text')],
    'ids-numbers': [plain(), otherIds('number')],
    'order-as-text': [plain(), orderAsText],
    'other-zone': [plain(), otherZone],
    'views-move-dates': [plain(), viewsMoveDates],
    'all-at-once': [
      plain(),
      otherZone,
      orderAsText,
      otherIds('number'),
      errorsAs200,
      translationRows,
      commentsStripped,
      normalisedHtml,
      deleteAs404,
    ],
  },
  lists: {
    'cut-oldest': [plain(), cutLists({ keep: 'oldest', limit: 25 })],
    'cut-newest': [plain(), cutLists({ keep: 'newest', limit: 25 })],
    'cut-silently': [plain(), cutLists({ keep: 'newest', limit: 1000 })],
    'cut-pages': [plain(), cutLists({ keep: 'newest', limit: 25, pages: true })],
    'cut+twice': [plain(), cutLists({ keep: 'newest', limit: 25 }), slugsTwice],
    'cut-silently+twice': [plain(), cutLists({ keep: 'oldest', limit: 1000 }), slugsTwice],
    'cut+location': [plain('Location'), cutLists({ keep: 'newest', limit: 25 })],
    'lagging-lists': [plain(), laggingLists(3)],
    'lagging-lists+twice': [plain(), laggingLists(3), slugsTwice],
    'lagging-reads': [plain('Location'), laggingReads(2)],
    'translation-rows': [plain(), translationRows],
  },
  languages: {
    'lang-unreadable': [plain(), langUnreadable],
    'rows+unreadable': [plain(), langUnreadable, translationRows],
    'lang-ignored': [plain(), langIgnored],
    'lang-ignored-both': [plain(), langIgnored, langUnreadable],
    'lang-rejected': [plain(), langRejected],
    'translation-keeps-date': [plain(), translationKeepsDate],
    'translations-cascade': [plain(), translationsOfDeleted('cascade')],
    'translations-stay': [plain(), langUnreadable, translationsOfDeleted('stay')],
    'category-cascades': [plain(), categoryInUse('cascades')],
    'category-orphans': [plain(), categoryInUse('orphans')],
    'delete-as-404': [plain(), deleteAs404],
  },
  stored: {
    'html-normalised': [plain(), normalisedHtml],
    'comments-stripped': [plain(), commentsStripped],
    'html-sanitised': [plain(), sanitisedHtml],
    'slug-suffixed': [plain(), slugsAcrossLanguages('suffix')],
    'slug-suffixed+stripped': [plain(), commentsStripped, slugsAcrossLanguages('suffix')],
    'slug-refused': [plain(), slugsAcrossLanguages('refuse')],
    'slug-refused-200': [plain(), slugsAcrossLanguages('refuse-200')],
    'slug-twice': [plain(), slugsTwice],
    'resets-left-out': [plain(), resetsLeftOut],
  },
  answers: {
    'errors-as-200': [plain(), errorsAs200],
    'not-found-as-500': [plain(), notFoundAs(500)],
    'not-found-as-400': [plain(), notFoundAs(400)],
    'rate-429-after': [plain(), rateLimited(6, '1')],
    'rate-429': [plain(), rateLimited(6, undefined)],
    'rate-503-after': [plain(), refusesEach(7, '1')],
    'rate-503': [plain(), refusesEach(7, undefined)],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly Oddity[]>>>>;

export type OddGroup = keyof typeof ODD_SERVICES;

/** One knowledge base behind the oddities, the first outermost. What it remembers lasts as long as the result. */
export function oddService(oddities: readonly Oddity[], world: OddWorld): (send: Send) => Send {
  const wraps = oddities.map((oddity) => oddity(world));
  return (send) => wraps.reduceRight((inside, wrap) => wrap(inside), send);
}
