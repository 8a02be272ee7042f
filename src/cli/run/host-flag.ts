import { SetupError } from '../../config/setup-error.ts';
import { urlOf } from '../../text/url.ts';

/** `--asset-host cdn.example.com`. @throws SetupError */
export function hostFlag(text: string): string {
  const url = urlOf(`https://${text}`);
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
