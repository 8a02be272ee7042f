import type { Sql, Store } from '../service/store/store.ts';
import type { Assets } from './assets.ts';
import { readLanguages } from './data/edition.ts';
import type { Recall } from './data/recall.ts';
import type { State } from './data/state.ts';
import type { TakeFeedback } from './http/feedback.ts';
import type { Look } from './look.ts';
import type { SiteFrame } from './pages/layout.ts';

/** What a site was made with, as far as every page shows it. */
interface Settings extends Look {
  readonly name: string;
  readonly assets: Assets;
  readonly origin?: string;
  readonly languages?: readonly string[];
  readonly showsDrafts?: boolean;
  readonly takeFeedback: TakeFeedback | undefined;
  readonly tellsOutdated?: boolean;
}

interface Reading {
  readonly sql: Sql;
  readonly state: State;
  readonly recall: Recall;
}

/** What stands around each page, from the settings and from what is published. */
export async function readFrame(
  url: URL,
  settings: Settings & { readonly store: Store },
  { sql, state, recall }: Reading,
): Promise<SiteFrame> {
  const { defaultLanguage } = settings.store.knowledgeBase;
  const languages =
    settings.languages ??
    (await recall(
      'languages',
      () => readLanguages(sql, defaultLanguage),
      ({ length }) => length,
    ));
  return {
    ...frameOf(settings),
    origin: settings.origin ?? url.origin,
    languages,
    defaultLanguage,
    hasReleases: state.hasReleases,
    hasTags: state.hasTags,
  };
}

/** What the settings alone say. */
export function frameOf({
  name,
  assets,
  intro,
  links = [],
  footer = {},
  showsDrafts = false,
  takeFeedback,
  tellsOutdated = true,
}: Settings) {
  const asksHelpful = takeFeedback !== undefined;
  return { name, assets, intro, links, footer, showsDrafts, asksHelpful, tellsOutdated };
}
