import { SetupError } from '../../config/setup-error.ts';
import { visible } from '../../model/visible.ts';
import type { ServiceApp } from '../../service/app.ts';
import type { Listening, ListenOptions } from '../../service/listen.ts';

/** The port that was asked for. @throws SetupError when another program has it */
export async function listenOn(
  app: ServiceApp,
  options: ListenOptions & { readonly host: string },
): Promise<Listening> {
  const { listen } = await import('../../service/listen.ts');
  try {
    return await listen(app, options);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE')) throw cause;
    throw new SetupError('file', `port ${options.port} on ${visible(options.host)} is taken`, {
      help: 'choose another with --port; --port 0 takes a free one',
      cause,
    });
  }
}
