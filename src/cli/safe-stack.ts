import { visible } from '../model/visible.ts';

/**
 * The stack of a bug, safe for a public log: without the keys in any of their spellings, and without anything in a line
 * that moves a cursor or acts as a command. Its message may contain text from a service or a file.
 */
export function safeStack(error: unknown, keys: readonly (string | undefined)[]): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = keys.reduce<string>(withoutKey, text).split('\n');
  return lines.map((line) => `  ${visible(line).replaceAll('##[', '## [')}`).join('\n');
}

function withoutKey(text: string, apiKey: string | undefined): string {
  if (apiKey === undefined || apiKey === '') return text;
  const base64 = Buffer.from(apiKey).toString('base64');
  return [apiKey, encodeURIComponent(apiKey), base64, base64.replace(/=+$/, '')].reduce(
    (clean, spelling) => clean.replaceAll(spelling, '[key]'),
    text,
  );
}
