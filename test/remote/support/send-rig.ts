import { onTestFinished } from 'vitest';
import { createSend } from '../../../src/remote/http/send.ts';
import type { SendOptions } from '../../../src/remote/http/send.ts';
import { SendError } from '../../../src/remote/http/send-error.ts';

export function sendTo(url: string, limits: Omit<SendOptions, 'origin'> = {}): ReturnType<typeof createSend> {
  const send = createSend({ origin: new URL(url).origin, ...limits });
  onTestFinished(() => send.close());
  return send;
}

export async function sendErrorOf(call: Promise<unknown>): Promise<SendError> {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof SendError) return error;
  throw new Error(`no SendError, but ${String(error)}`);
}
