import { visible } from '../model/visible.ts';

/**
 * A bug's stack as it may stand in a log that anybody reads: without the keys in any of their spellings, and line for line
 * without anything that moves a cursor or acts as a command. Its message may contain text from a service or a file.
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
