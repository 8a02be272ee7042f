import { urlOf } from '../../text/url.ts';

/** How addresses of two texts are compared. */
export interface AddressForm {
  /** Whether only the place that they lead to counts: see the rewriting `addresses`. */
  readonly isPlace: boolean;
  /** `https://help.example.com`: where pages with these addresses are shown. */
  readonly origin?: string | undefined;
  /** The address of the page itself, where it is known. */
  readonly page?: string | undefined;
  /** Whether an address that holds a whole one in its query stands for that: see the rewriting `proxies`. */
  readonly isDirect?: boolean;
  /** See the rewriting `signatures`. */
  readonly isUnsigned?: boolean;
  /** Names of parameters that do not count. */
  readonly parameters?: ReadonlySet<string> | undefined;
}

const NO_BASE = 'http://page.invalid';

/**
 * One spelling for all addresses that a browser takes for the same one (WHATWG URL): host in lower case, default port left
 * out, `/` after a bare host, blanks and letters percent-encoded. An address without a scheme keeps its form.
 */
export function canonicalAddress(written: string, form: AddressForm): string {
  const { isPlace, origin, page } = form;
  const text = withoutParameters(targetOf(written.replaceAll(/[\t\n\r]/g, '').trim(), form), form);
  const url = urlOf(text, isPlace && text !== '' ? page : undefined);
  if (url !== undefined) return isPlace ? placeOf(url, origin) : upperHex(url.href);
  if (!/^[/?#]/.test(text)) return upperHex(encoded(text));
  const rooted = urlOf(text, NO_BASE);
  if (rooted === undefined || rooted.origin !== NO_BASE) {
    // `//cdn.example.com/a.png`: the scheme is the page's.
    return isPlace && rooted !== undefined ? placeOf(rooted, origin) : upperHex(encoded(text));
  }
  const path = text.startsWith('/') ? rooted.pathname : '';
  return isPlace ? pathOf(path, rooted) : upperHex(path + rooted.search + rooted.hash);
}

/** The address that a proxy's address holds whole: `https://help.example.com/out?to=https%3A%2F%2F…`. */
function targetOf(text: string, { isDirect = false }: AddressForm): string {
  if (!isDirect || !text.includes('?')) return text;
  const url = urlOf(text, NO_BASE);
  const target = [...(url?.searchParams.values() ?? [])].find((value) => /^https?:\/\/[^/]/.test(value));
  return target ?? text;
}

/**
 * What signs an address: Amazon (`X-Amz-*`), Google Cloud (`X-Goog-*`), CloudFront, Azure's shared access signatures,
 * Akamai's tokens.
 */
const SIGNATURE =
  /^(?:x-amz-[\w-]+|x-goog-[\w-]+|awsaccesskeyid|googleaccessid|expires|signature|policy|key-pair-id|s[aevrpt]|sig|spr|sip|ske?|skoid|sktid|skt|sks|skv|sdd|hdnea|hdnts|__token__)$/i;

function withoutParameters(text: string, { isUnsigned = false, parameters }: AddressForm): string {
  if (!text.includes('?') || (!isUnsigned && parameters === undefined)) return text;
  const [, start = '', query = '', hash = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(text) ?? [];
  if (start === '' && query === '') return text;
  const isSigned = isUnsigned && /(?:^|&)(?:[\w-]*signature|sig|__token__|hdnea|hdnts)=/i.test(query);
  const kept = query.split('&').filter((part) => {
    const name = part.replace(/=.*$/s, '');
    return !(isSigned && SIGNATURE.test(name)) && parameters?.has(name) !== true;
  });
  return `${start}${kept.length === 0 ? '' : `?${kept.join('&')}`}${hash}`;
}

/** Names of parameters that an address has and another one, to the same place, does not. */
export function parametersAdded(sent: string, shown: string): readonly string[] {
  const [before, after] = [urlOf(sent, NO_BASE), urlOf(shown, NO_BASE)];
  if (before === undefined || after === undefined || before.pathname !== after.pathname) return [];
  return [...after.searchParams.keys()].filter((name) => !before.searchParams.has(name));
}

/** Whether a text is the address itself, as in a link that a service made of it. */
export function isSameAddress(text: string, address: string, form: AddressForm): boolean {
  const place = (value: string): string =>
    canonicalAddress(value, { ...form, isPlace: true }).replace(/^(?:mailto:|\/\/)/, '');
  const shown = text.trim();
  if (shown === '' || /\s/.test(shown)) return false;
  const wanted = place(address);
  return place(shown) === wanted || place(`http://${shown}`) === wanted;
}

function placeOf(url: URL, origin: string | undefined): string {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return upperHex(url.href);
  const home = origin === undefined ? undefined : urlOf(origin);
  const host = home !== undefined && home.host === url.host ? '' : `//${url.host}`;
  return host + pathOf(url.pathname, url);
}

/** A slash at the end leads to the same page on nearly every server. */
function pathOf(path: string, url: URL): string {
  const place = path.length > 1 ? path.replace(/\/$/, '') : path;
  return upperHex(place + searchOf(url) + url.hash);
}

/** Without what only counts where a visitor came from. */
function searchOf(url: URL): string {
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^(?:utm_\w+|ref_src)=/.test(part));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

function encoded(text: string): string {
  return text.replaceAll(/[^\u0021-\u007E]+/g, (part) =>
    encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, '\uFFFD')),
  );
}

/** `%c3` and `%C3` are one byte. */
function upperHex(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (byte) => byte.toUpperCase());
}
