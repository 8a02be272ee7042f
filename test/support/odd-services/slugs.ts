import type { Send } from '../../../src/remote/remote.ts';
import { askedOf, changedRequest, changedResponse, isWrite, jsonOf, refusal } from './seam.ts';
import type { Asked, Json, Oddity } from './seam.ts';

/**
 * A slug may be used once among all languages of a kind. `suffix`: the second gets `-1`; `refuse`: a 422; `refuse-200`: a
 * 200 that says `success: false`.
 */
export function slugsAcrossLanguages(answer: 'suffix' | 'refuse' | 'refuse-200'): Oddity {
  return () => {
    const slugs = new Map<string, string>();
    return (send) => async (request) => {
      const asked = askedOf(request);
      if (asked.method === 'DELETE') {
        const response = await send(request);
        if (response.ok) forget(slugs, asked);
        return response;
      }
      if (!isWrite(asked) || asked.kind === undefined) return send(request);
      const body = await jsonOf(request.clone());
      const { slug } = body;
      if (typeof slug !== 'string') return send(request);
      const self = `${asked.kind} ${asked.id ?? ''} ${languageOf(body)}`;
      const isTaken = (text: string) =>
        [...slugs].some(
          ([other, held]) => other !== self && other.startsWith(`${asked.kind} `) && held === text,
        );
      let stored = slug;
      for (let count = 1; isTaken(stored); count += 1) {
        if (answer === 'refuse') return refusal(422, `the slug ${slug} is taken`);
        if (answer === 'refuse-200') return refusal(200, `the slug ${slug} is taken`);
        stored = `${slug}-${count}`;
      }
      const response = await send(await changedRequest(request, { body: { ...body, slug: stored } }));
      const id = asked.id ?? response.headers.get('Location')?.split('/').at(-1);
      if (response.ok && id !== undefined) slugs.set(`${asked.kind} ${id} ${languageOf(body)}`, stored);
      return response;
    };
  };
}

function languageOf({ lang }: Json): string {
  return typeof lang === 'string' && lang !== 'en' ? lang : '';
}

function forget(slugs: Map<string, string>, { kind, id }: Asked): void {
  for (const key of slugs.keys()) if (key.startsWith(`${kind} ${id} `)) slugs.delete(key);
}

const DOUBLE = /~double\d+/;

/** Two records may have one slug. */
export const slugsTwice: Oddity = () => {
  let count = 0;
  return (send) => async (request) => {
    const asked = askedOf(request);
    if (isWrite(asked)) return written(request, send, () => (count += 1));
    const response = await send(request);
    if (asked.method !== 'GET' || !response.ok) return response;
    return changedResponse(
      response,
      JSON.parse((await response.text()).replaceAll(/~double\d+/g, '')) as Json,
    );
  };
};

async function written(request: Request, send: Send, next: () => number): Promise<Response> {
  const response = await send(request.clone());
  if (response.status !== 409) return response;
  const body = await jsonOf(request.clone());
  if (typeof body['slug'] !== 'string') return response;
  const slug = `${body['slug'].replace(DOUBLE, '')}~double${next()}`;
  return send(await changedRequest(request, { body: { ...body, slug } }));
}
