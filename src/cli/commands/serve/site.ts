import type { ServiceApp } from '../../../service/app.ts';
import type { Store } from '../../../service/store/store.ts';
import type { Clock } from '../../../service/time.ts';
import type { SiteFlags } from './command.ts';

export interface SiteSetup {
  readonly store: Store;
  readonly clock: Clock;
  readonly languages: readonly string[] | undefined;
  readonly previewToken?: string;
  /** Where paths of flags begin. */
  readonly root: string;
  readonly onFailure: (error: unknown, request: string) => void;
}

const CALLED = { accent: '--accent', logo: '--logo', links: '--link', footerLinks: '--footer-link' } as const;

/** The service with the reading site beside it, unless `--no-site`. @throws SetupError for a flag that makes no sense */
export async function withSite(app: ServiceApp, flags: SiteFlags, setup: SiteSetup): Promise<ServiceApp> {
  if (!flags.site) return app;
  const [{ createSite }, { siteBeside }, { linkFlag, siteLook, siteOrigin }] = await Promise.all([
    import('../../../site/create-site.ts'),
    import('../../../site/with-service.ts'),
    import('../../run/site-look.ts'),
  ]);
  const { siteName: name, siteIntro: intro, accent, logo, link = [], footer: text, footerLink = [] } = flags;
  const look = await siteLook(
    {
      name,
      intro,
      accent,
      logo,
      links: link.map(linkFlag(CALLED.links)),
      footer: { text, links: footerLink.map(linkFlag(CALLED.footerLinks)) },
    },
    { root: setup.root, called: CALLED },
  );
  const origin = flags.siteUrl === undefined ? undefined : siteOrigin(flags.siteUrl);
  const { languages, root: _, clock, ...rest } = setup;
  const { feedback = true, searchCounts = true, outdatedNotice = true } = flags;
  const site = createSite({
    ...rest,
    ...(languages === undefined ? {} : { languages }),
    ...look,
    ...(origin === undefined ? {} : { origin }),
    ...(feedback ? { feedback: { clock } } : {}),
    ...(searchCounts ? { searchMisses: { clock } } : {}),
    tellsOutdated: outdatedNotice,
  });
  return siteBeside(app, site);
}
