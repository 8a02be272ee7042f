import { createHash, timingSafeEqual } from 'node:crypto';
import { readBytes } from '../../service/http/request-body.ts';
import { redirect, textReply } from './reply.ts';
import type { Theme } from '../reader.ts';

const YEAR_S = 31_536_000;
const DAY_S = 86_400;
const THEME_COOKIE = 'kbsync-theme';
const PREVIEW_COOKIE = 'kbsync-preview';
const FORM_BYTES_MAX = 4000;

export interface Preferences {
  readonly theme: Theme;
  readonly isPreview: boolean;
}

/** What the reader's cookies say. The preview cookie holds a digest, so the token itself is in no browser. */
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

/**
 * The form that the colours' menu sends where no script runs.
 * @throws Refusal 413
 */
export async function chooseTheme(request: Request, isSecure: boolean): Promise<Response> {
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, FORM_BYTES_MAX)));
  const theme = themeOf(form.get('theme') ?? '');
  if (theme === undefined) return textReply(400, 'theme: must be system, light or dark.');
  return redirect(303, ownPath(form.get('to') ?? ''), {
    'Set-Cookie': `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secure(isSecure)}`,
  });
}

/** `?preview=TOKEN` on any page lets drafts be seen for a day, `?preview=off` ends it; undefined: not asked for. */
export function choosePreview(
  url: URL,
  previewToken: string | undefined,
  isSecure: boolean,
): Response | undefined {
  const given = url.searchParams.get('preview');
  if (given === null || previewToken === undefined) return undefined;
  const rest = new URLSearchParams(url.searchParams);
  rest.delete('preview');
  const path = ownPath(url.pathname + (rest.size === 0 ? '' : `?${rest.toString()}`));
  const isRight = same(cookieOf(given), cookieOf(previewToken));
  if (!isRight && given !== 'off') return undefined;
  const [value, age] = isRight ? [cookieOf(previewToken), DAY_S] : ['', 0];
  return redirect(303, path, {
    'Set-Cookie': `${PREVIEW_COOKIE}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure(isSecure)}`,
    'Cache-Control': 'no-store',
  });
}

/** Kept from connections that others can read, where readers come over https. */
function secure(isSecure: boolean): string {
  return isSecure ? '; Secure' : '';
}

/** A path of this site and nothing else: `//host` and `/\host` lead away, and other letters than these stand in no header. */
export function ownPath(path: string): string {
  return /^\/(?![/\\])[!-[\]-~]*$/.test(path) ? path : '/';
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
