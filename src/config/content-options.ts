import type { ContentOptions } from '../content/options.ts';
import { presetNamed } from '../content/presets/names.ts';
import { didYouMean } from '../content/suggest.ts';
import type { Kind } from '../model/key.ts';
import {
  ADDRESS_TEMPLATES,
  pageAddress,
  wholeAddress,
  type AddressTemplates,
} from '../model/address/page-address.ts';
import type { Clock } from '../model/clock.ts';
import { isProblemCode, NEVER_ALLOWED, PROBLEM_SEVERITY, type ProblemCode } from '../model/problem.ts';
import { visible } from '../model/visible.ts';
import type { Settings, SettingsSource } from './settings.ts';
import { SetupError } from './setup-error.ts';

/** How the content is read; `allow` adds to `allow:` of the file. @throws SetupError for a code that does not exist */
export function contentOptions(
  settings: Settings,
  { allow }: { readonly allow: readonly string[] },
  { cwd, clock }: Pick<SettingsSource, 'cwd'> & { readonly clock: Pick<Clock, 'now'> },
): ContentOptions {
  const { file } = settings;
  return {
    contentDir: settings.contentDir,
    cwd,
    nowMs: clock.now(),
    timezone: file.timezone,
    defaultLanguage: file.defaultLanguage ?? 'en',
    languages: file.languages ?? {},
    preset: presetNamed(file.preset ?? 'kbsync'),
    include: file.include ?? [],
    exclude: file.exclude ?? [],
    protect: file.protect ?? [],
    released: file.released ?? [],
    moved: (file.moved ?? []).map((line, index) => ({
      ...line,
      at: settings.movedAt?.[index] ?? { file: settings.configFile ?? 'kbsync.yaml', line: 1, column: 1 },
    })),
    redirects: settings.redirects ?? [],
    fields: file.fields ?? {},
    values: file.values ?? {},
    defaults: file.defaults ?? {},
    components: file.components ?? {},
    urls: urlsOf(file),
    assetsBaseUrl: file.assets?.baseUrl,
    assetsRootUrl: file.assets?.rootUrl,
    siteUrl: file.siteUrl,
    html: file.html ?? 'sanitize',
    ignoreKeys: file.ignoreKeys ?? [],
    allow: new Set<ProblemCode>([...(file.allow ?? []), ...allow.map(problemCode)]),
    cacheFile: settings.cacheFile,
  };
}

/** Where the service shows a record. */
export function urlsOf(file: Settings['file']): AddressTemplates {
  return {
    article: file.articleUrl ?? ADDRESS_TEMPLATES.article,
    category: file.categoryUrl ?? ADDRESS_TEMPLATES.category,
    tag: file.tagUrl ?? ADDRESS_TEMPLATES.tag,
  };
}

/** Where people read a record, as a link. `origin`: the host of addresses that name none. */
export function pagesOf(
  { file }: Pick<Settings, 'file'>,
  origin: string,
): (kind: Kind, lang: string, slug: string) => string {
  const urls = urlsOf(file);
  return (kind, lang, slug) => wholeAddress(pageAddress(urls, kind, lang, slug), origin);
}

function problemCode(text: string): ProblemCode {
  if (isProblemCode(text) && NEVER_ALLOWED.has(text)) {
    throw new SetupError(
      'usage',
      `--allow: \`${text}\` stays an error, because no record can be made of such a file`,
    );
  }
  if (isProblemCode(text)) return text;
  const codes = Object.keys(PROBLEM_SEVERITY);
  throw new SetupError(
    'usage',
    `--allow: there is no problem code \`${visible(text)}\`${didYouMean(text, codes)}`,
    {
      help: `codes are ${codes.join(', ')}`,
    },
  );
}
