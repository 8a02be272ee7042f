import type { ServiceApp } from '../../../service/app.ts';
import type { Store } from '../../../service/store/store.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import type { SiteFlags } from './command.ts';

export interface SiteSetup {
  readonly store: Store;
  readonly languages: readonly string[] | undefined;
  readonly previewToken?: string;
  readonly onFailure: (error: unknown, request: string) => void;
}

/** The service with the reading site beside it, unless `--no-site`. @throws SetupError for a flag that makes no sense */
export async function withSite(app: ServiceApp, flags: SiteFlags, setup: SiteSetup): Promise<ServiceApp> {
  if (!flags.site) return app;
  const [{ createSite }, { siteBeside }, { hexColour }] = await Promise.all([
    import('../../../site/create-site.ts'),
    import('../../../site/with-service.ts'),
    import('../../../site/accent.ts'),
  ]);
  const accent = flags.accent === undefined ? undefined : hexColour(flags.accent);
  if (flags.accent !== undefined && accent === undefined) {
    throw new SetupError('usage', `--accent: \`${visible(flags.accent)}\` is not a colour`, {
      help: 'six or three hexadecimal digits: --accent "#0b6e7f"',
    });
  }
  const origin = flags.siteUrl === undefined ? undefined : originOf(flags.siteUrl);
  const { languages, ...rest } = setup;
  const site = createSite({
    ...rest,
    ...(languages === undefined ? {} : { languages }),
    ...(flags.siteName === undefined ? {} : { name: flags.siteName }),
    ...(accent === undefined ? {} : { accent }),
    ...(origin === undefined ? {} : { origin }),
  });
  return siteBeside(app, site);
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') {
    return url.origin;
  }
  throw new SetupError('usage', `--site-url: \`${visible(text)}\` is not an address without a path`, {
    help: 'the address that readers see: --site-url https://help.example.com',
  });
}
