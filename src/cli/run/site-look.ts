import { resolve } from 'node:path';
import { SetupError } from '../../config/setup-error.ts';
import { visible } from '../../model/visible.ts';
import type { Look, SiteLink } from '../../site/look.ts';
import { urlOf } from '../../text/url.ts';

/** How the help centre is to look, as flags or kbsync.yaml say it. */
export interface LookWishes {
  readonly name?: string | undefined;
  readonly intro?: string | undefined;
  readonly accent?: string | undefined;
  /** A file. */
  readonly logo?: string | undefined;
  readonly links?: readonly SiteLink[] | undefined;
  readonly footer?:
    | { readonly text?: string | undefined; readonly links?: readonly SiteLink[] | undefined }
    | undefined;
}

/** What a wish is called where it was written: `--logo`, `site.logo`. */
export type WishName = 'accent' | 'logo' | 'links' | 'footerLinks';

/** The wishes of kbsync.yaml. */
export const SITE_SETTINGS: Readonly<Record<WishName, string>> = {
  accent: 'site.accent',
  logo: 'site.logo',
  links: 'site.links',
  footerLinks: 'site.footer.links',
};

/** @throws SetupError for what a browser could not show, or should not follow */
export async function siteLook(
  wishes: LookWishes,
  { root, called }: { readonly root: string; readonly called: Readonly<Record<WishName, string>> },
): Promise<Look & { readonly name?: string; readonly accent?: string }> {
  const { name, intro, logo, links = [], footer } = wishes;
  const accent = await accentOf(wishes.accent, called.accent);
  for (const link of links) await checkLink(link, called.links);
  for (const link of footer?.links ?? []) await checkLink(link, called.footerLinks);
  return {
    ...(name === undefined ? {} : { name }),
    ...(intro === undefined ? {} : { intro }),
    ...(accent === undefined ? {} : { accent }),
    ...(logo === undefined ? {} : { logo: await logoFrom(resolve(root, logo), called.logo) }),
    links,
    footer: {
      ...(footer?.text === undefined ? {} : { text: footer.text }),
      links: footer?.links ?? [],
    },
  };
}

/** The address that readers see. @throws SetupError */
export function siteOrigin(text: string): string {
  const url = urlOf(text);
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') {
    return url.origin;
  }
  throw new SetupError('usage', `--site-url: \`${visible(text)}\` is not an address without a path`, {
    help: 'the address that readers see: --site-url https://help.example.com',
  });
}

/** `Status=https://status.example.com` as it stands in flags. @throws SetupError */
export function linkFlag(flag: string): (text: string) => SiteLink {
  return (given) => {
    const at = given.indexOf('=');
    const [text, url] = [given.slice(0, at).trim(), given.slice(at + 1).trim()];
    if (at > 0 && text !== '' && url !== '') return { text, url };
    throw new SetupError('usage', `${flag}: \`${visible(given)}\` is not a text and an address`, {
      help: `both, with a = between them: ${flag} "Status=https://status.example.com"`,
    });
  };
}

async function accentOf(text: string | undefined, called: string): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const { hexColour } = await import('../../site/accent.ts');
  const accent = hexColour(text);
  if (accent !== undefined) return accent;
  throw new SetupError('usage', `${called}: \`${visible(text)}\` is not a colour`, {
    help: `six or three hexadecimal digits: ${called} "#0b6e7f"`,
  });
}

async function logoFrom(file: string, called: string): Promise<NonNullable<Look['logo']>> {
  const [{ readLogo }, { logoOf, LOGO_BYTES_MAX }] = await Promise.all([
    import('../../site/assets.ts'),
    import('../../site/look.ts'),
  ]);
  const fault = (why: string): SetupError =>
    new SetupError('usage', `${called}: \`${visible(file)}\` ${why}`, {
      help: `an SVG, PNG, JPEG or WebP file of at most ${LOGO_BYTES_MAX / 1024} kB`,
    });
  const bytes = readLogo(file);
  if (bytes === undefined) throw fault('cannot be read');
  if (bytes.length > LOGO_BYTES_MAX) throw fault(`has ${bytes.length} bytes`);
  const logo = logoOf(bytes);
  if (logo === undefined) throw fault('is no picture that every browser shows');
  return logo;
}

async function checkLink({ url }: SiteLink, called: string): Promise<void> {
  const { isLinkAddress } = await import('../../site/look.ts');
  if (isLinkAddress(url)) return;
  throw new SetupError('usage', `${called}: \`${visible(url)}\` is no address for a link`, {
    help: 'https://…, mailto:…, or a path of this site that begins with /',
  });
}
