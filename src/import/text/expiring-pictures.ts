import { decodeHTMLAttribute } from 'entities/decode';

/** A picture that will not show for ever as it is. */
export interface PictureAtRisk {
  readonly url: string;
  readonly why: string;
}

/** What a reader will miss one day, although the text is right today. */
export function picturesAtRisk(html: string): readonly PictureAtRisk[] {
  const sources = [
    ...html.matchAll(/<img\b[^>]{0,2000}?\ssrc\s{0,99}=\s{0,99}(?:"([^"]*)"|'([^']*)')/gi),
  ].map(([, double, single]) => decodeHTMLAttribute(double ?? single ?? ''));
  return [...new Set(sources)].flatMap((url) => {
    const found = RISKS.find(({ isOne }) => isOne.test(url));
    return found === undefined ? [] : [{ url: url.slice(0, URL_CHARS), why: found.why }];
  });
}

const URL_CHARS = 500;

const RISKS = [
  {
    isOne: /[?&](?:expires|x-amz-expires|token|sig|signature)=/i,
    why: 'has an address that will stop working: download it and host it elsewhere',
  },
  {
    isOne: /\/(?:hc\/(?:[\w-]+\/)?article_attachments|download\/attachments)\//,
    why: 'is on the old help centre, and is gone when that closes',
  },
  { isOne: /^data:/i, why: 'stands in the text itself (`data:`)' },
] as const;
