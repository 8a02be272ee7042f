import type { Context as Call } from 'hono';
import { Refusal } from '../refusal.ts';

/** Parameters that would be ignored are refused: whoever sends `?page=2` must not take the whole list for a page. */
export function checkedQuery(
  call: Call,
  known: readonly string[],
): Readonly<Record<string, string | undefined>> {
  if (!call.req.url.includes('?')) return {};
  const given = call.req.queries();
  for (const [name, values] of Object.entries(given)) {
    if (!known.includes(name)) {
      throw new Refusal(400, `query parameter ${JSON.stringify(name.slice(0, 80))} is not known here`);
    }
    if (values.length > 1) throw new Refusal(400, `query parameter ${name} is given ${values.length} times`);
  }
  return Object.fromEntries(known.map((name) => [name, given[name]?.[0]]));
}

/** How many entries a request asks for; undefined if it does not say. @throws Refusal 400 for all but an integer from 1 to `max` */
export function countOf(text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw new Refusal(
    400,
    `count: is ${JSON.stringify(text.slice(0, 80))}; it must be an integer from 1 to ${max}`,
  );
}
