import { urlOf } from '../../text/url.ts';
/**
 * Whether git may be given this as the address of a repository: https, ssh, `user@host:path`, or a repository of this
 * machine. No password (it would stand in a file), no other transport (`ext::` runs a command), and nothing that git or ssh
 * could take for an option.
 */
export function isRepository(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\u0000-\u0020\u007f\\]/.test(text) || text.length > 2000) return false;
  if (text.startsWith('https://')) return isAddress(text, false);
  if (text.startsWith('ssh://')) return isAddress(text, true);
  if (/^file:\/\/\/[^/]/.test(text) || /^\/[^/]/.test(text)) return true;
  return /^[A-Za-z0-9][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:(?![:-])[^:]+$/.test(text);
}

function isAddress(text: string, hasUser: boolean): boolean {
  const url = urlOf(text);
  if (url === undefined || url.password !== '' || url.search !== '' || url.hash !== '') return false;
  if (!/^(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9a-f:]+\])$/i.test(url.hostname)) return false;
  if (url.username !== '' && !(hasUser && /^[A-Za-z0-9][\w.-]*$/.test(url.username))) return false;
  return url.pathname.length > 1;
}

/** Whether it can name a branch or a tag: the rules of git-check-ref-format(1), without characters that need quotes. */
export function isRef(text: string): boolean {
  return (
    /^[A-Za-z0-9_][A-Za-z0-9._/+#-]*$/.test(text) &&
    text.length <= 200 &&
    !/\.\.|\/\/|\/\.|\.\/|\.lock(?:\/|$)|[./]$/.test(text)
  );
}

/** Host and path of a repository in one spelling: the addresses of a push can be compared by it; undefined: of this machine. */
export function placeOf(repository: string): string {
  const [, rest = repository] =
    /^(?:[a-z]+:\/\/)(?:[^/@]*@)?(.*)$/i.exec(repository) ?? /^[\w.-]+@(.*)$/.exec(repository) ?? [];
  return rest
    .toLowerCase()
    .replace(/^([^/:]+):(?:\d+(?=\/))?\/?/, '$1/')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '');
}
