import { SetupError } from '../../../config/setup-error.ts';
import type { Files } from '../../../machine/machine.ts';
import type { Redirect } from '../../../model/address/redirect.ts';
import type { ServiceApp } from '../../../service/app.ts';
import type { Store } from '../../../service/store/store.ts';
import { resolve } from 'node:path';
import { visible } from '../../../model/visible.ts';
import type { Clock } from '../../../service/time.ts';
import { addAll } from '../../../text/many.ts';
import type { SiteFlags } from './command.ts';

export interface SiteSetup {
  readonly store: Store;
  readonly clock: Clock;
  readonly languages: readonly string[] | undefined;
  readonly previewToken?: string;
  /** Where paths of flags begin. */
  readonly root: string;
  readonly files: Pick<Files, 'readText'>;
  readonly onFailure: (error: unknown, request: string) => void;
}

const CALLED = { accent: '--accent', logo: '--logo', links: '--link', footerLinks: '--footer-link' } as const;

/** The service with the help centre beside it, unless `--no-site`. @throws SetupError for a flag that makes no sense */
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
  const { languages, root: _, files: __, clock, ...rest } = setup;
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
  const beside = siteBeside(app, site);
  const redirects = await redirectsIn(flags.redirects ?? [], setup);
  const { keptAddresses, oldAddresses, withOldAddresses } =
    await import('../../../site/http/old-addresses.ts');
  return withOldAddresses(beside, {
    ...(redirects.length === 0 ? {} : { given: oldAddresses(redirects) }),
    kept: keptAddresses(setup.store),
  });
}

/** Lines of all files, in order. @throws SetupError for a file that is no map */
async function redirectsIn(
  names: readonly string[],
  { root, files }: Pick<SiteSetup, 'root' | 'files'>,
): Promise<readonly Redirect[]> {
  const [{ REDIRECT_ADDRESS, redirectsFrom }, { targetFault }] = await Promise.all([
    import('../../../model/address/redirect.ts'),
    import('../../../contract/redirects.ts'),
  ]);
  const all: Redirect[] = [];
  for (const name of names) {
    const fault = (why: string): SetupError =>
      new SetupError('usage', `--redirects: \`${visible(name)}\` ${why}`, {
        help: 'a CSV whose first line is from,to: `kbsync import`, `migrate` and `plan --redirects` write one',
      });
    const text = await files.readText(resolve(root, name));
    if (text === undefined) throw fault('is not there');
    const redirects = redirectsFrom(text);
    if (redirects === undefined) throw fault('has no columns `from` and `to`');
    const wrong = redirects.find(
      ({ from, to }) => !REDIRECT_ADDRESS.test(from) || targetFault(to) !== undefined,
    );
    if (wrong !== undefined) {
      throw fault(
        `leads \`${visible(wrong.from)}\` to \`${visible(wrong.to)}\`; both must begin with one / or with https://`,
      );
    }
    addAll(all, redirects);
  }
  return all;
}
