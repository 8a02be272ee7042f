import { SetupError } from '../../config/setup-error.ts';
import { isUrl } from '../../text/is-url.ts';

/** `--asset-host cdn.example.com`. @throws SetupError */
export function hostFlag(text: string): string {
  const url = isUrl(`https://${text}`) ? new URL(`https://${text}`) : undefined;
  if (
    url !== undefined &&
    url.pathname === '/' &&
    url.username === '' &&
    url.search === '' &&
    url.hash === '' &&
    !text.includes('/')
  )
    return url.host;
  throw new SetupError('usage', `--asset-host ${text} is not a host name`, {
    help: 'write the host alone: --asset-host cdn.example.com',
  });
}
