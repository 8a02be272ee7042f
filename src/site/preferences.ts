import { createHash, timingSafeEqual } from 'node:crypto';
import { redirect, textReply } from './reply.ts';
import type { Theme } from './reader.ts';

const YEAR_S = 31_536_000;
const DAY_S = 86_400;
const THEME_COOKIE = 'kbsync-theme';
const PREVIEW_COOKIE = 'kbsync-preview';
const FORM_BYTES_MAX = 4000;

export interface Preferences {
  readonly theme: Theme;
  readonly isPreview: boolean;
}

/** What the reader's cookies say. The preview cookie holds a digest, so that the token itself is in no browser. */
export function preferencesOf(request: Request, previewToken: string | undefined): Preferences {
  const cookies = new Map(
    (request.headers.get('cookie') ?? '').split(';').map((part) => {
      const [name = '', value = ''] = part.trim().split('=', 2);
      return [name, value];
    }),
  );
  const given = cookies.get(PREVIEW_COOKIE);
  return {
    theme: themeOf(cookies.get(THEME_COOKIE)) ?? 'system',
    isPreview: previewToken !== undefined && given !== undefined && same(given, cookieOf(previewToken)),
  };
}

/** The form that the colours' menu sends where no script runs. */
export async function chooseTheme(request: Request): Promise<Response> {
  const text = await request.text();
  if (text.length > FORM_BYTES_MAX) return textReply(413, 'The form is too long.');
  const form = new URLSearchParams(text);
  const theme = themeOf(form.get('theme') ?? '');
  if (theme === undefined) return textReply(400, 'theme: must be system, light or dark.');
  return redirect(303, ownPath(form.get('to') ?? ''), {
    'Set-Cookie': `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`,
  });
}

/** `?preview=TOKEN` on any page lets drafts be seen for a day, `?preview=off` ends it; undefined: not asked for. */
export function choosePreview(url: URL, previewToken: string | undefined): Response | undefined {
  const given = url.searchParams.get('preview');
  if (given === null || previewToken === undefined) return undefined;
  const rest = new URLSearchParams(url.searchParams);
  rest.delete('preview');
  const path = ownPath(url.pathname + (rest.size === 0 ? '' : `?${rest.toString()}`));
  const isRight = same(cookieOf(given), cookieOf(previewToken));
  if (!isRight && given !== 'off') return undefined;
  const [value, age] = isRight ? [cookieOf(previewToken), DAY_S] : ['', 0];
  const secure = url.protocol === 'https:' ? '; Secure' : '';
  return redirect(303, path, {
    'Set-Cookie': `${PREVIEW_COOKIE}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
    'Cache-Control': 'no-store',
  });
}

/** A path of this site and nothing else: `//host` and `/\host` lead away. */
function ownPath(path: string): string {
  return /^\/(?![/\\])[^\s\\]*$/.test(path) ? path : '/';
}

function themeOf(text: string | undefined): Theme | undefined {
  return text === 'system' || text === 'light' || text === 'dark' ? text : undefined;
}

function cookieOf(token: string): string {
  return createHash('sha256').update(`kbsync preview ${token}`).digest('base64url');
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
