import { Refusal } from '../refusal.ts';
import { createThread, ThreadError } from '../thread.ts';
import { DRAWING_THREAD } from '../threads.ts';
import { sanitisedSvg } from './svg.ts';

export type Cleaned = { readonly text: string } | { readonly refused: string };

/** A larger drawing is cleaned in a thread, so other requests do not wait for it. */
const INLINE_CHARS_MAX = 50_000;
/** Ordinary drawings of the largest size take a second. */
const DEADLINE_MS = 5000;
const thread = createThread<string, Cleaned>(DRAWING_THREAD, { deadlineMs: DEADLINE_MS });

/**
 * An SVG as it may be shown.
 * @throws Refusal 413 for one that is nested too deep, or that takes too long; ThreadError
 */
export async function drawing(text: string): Promise<string> {
  const end = text.length <= INLINE_CHARS_MAX ? cleaned(text) : await thread.run(text).catch(tooLong);
  if ('refused' in end) throw new Refusal(413, end.refused);
  return end.text;
}

/** A refusal as data, because an error that leaves a thread loses its class. */
export function cleaned(text: string): Cleaned {
  try {
    return { text: sanitisedSvg(text) };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
}

function tooLong(error: unknown): Cleaned {
  if (error instanceof ThreadError && error.code === 'deadline')
    return { refused: `the drawing takes more than ${DEADLINE_MS / 1000} s to read` };
  throw error;
}
