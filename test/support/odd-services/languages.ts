import { askedOf, changedRequest, isRead, isWrite, jsonOf, refusal } from './seam.ts';
import type { Oddity } from './seam.ts';

/** `?lang=` is taken and not looked at: every single read shows the record that the id names. */
export const langUnreadable: Oddity = () => (send) => async (request) => {
  const asked = askedOf(request);
  if (!isRead(asked)) return send(request);
  const url = new URL(request.url);
  url.searchParams.delete('lang');
  return send(await changedRequest(request, { url }));
};

/** `lang` in an edit is taken and not looked at: the original is overwritten. */
export const langIgnored: Oddity = () => (send) => async (request) => {
  const asked = askedOf(request);
  if (!isWrite(asked) || asked.id === undefined) return send(request);
  const body = await jsonOf(request.clone());
  return send(await changedRequest(request, { body: { ...body, lang: 'en' } }));
};

/** No edit in another language is taken. */
export const langRejected: Oddity = () => (send) => async (request) => {
  const asked = askedOf(request);
  if (isWrite(asked) && asked.id !== undefined) {
    const { lang } = await jsonOf(request.clone());
    if (lang !== undefined && lang !== 'en')
      return refusal(400, `the language ${JSON.stringify(lang)} is not enabled`);
  }
  return send(request);
};
