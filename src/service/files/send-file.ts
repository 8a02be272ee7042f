import type { FileBytes } from './bytes.ts';
import type { FileRecord } from './records.ts';

/** Read from the store at a time: a reader with a slow line holds no more of a file than this. */
const PIECE_BYTES = 256 * 1024;
/** Types that a browser may show; all others are saved. */
const SHOWN = /^(?:image|video|audio)\//;
/** A drawing that is opened by itself may have its own style, and nothing else. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox";

/** A file for readers. Its address never has other bytes, so it is kept for ever. */
export function sendFile(request: Request, file: FileRecord, name: string, bytes: FileBytes): Response {
  const etag = `"${file.keptDigest}"`;
  const headers: Record<string, string> = {
    'Content-Type': file.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Repr-Digest': `sha-256=:${Buffer.from(file.keptDigest, 'hex').toString('base64')}:`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': POLICY,
    'Content-Disposition': SHOWN.test(file.type)
      ? 'inline'
      : `attachment; filename="${savedName(file, name)}"`,
    // Pages of other origins may show it: a knowledge base is quoted in mails and products.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
  };
  if (namesTag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  const isHead = request.method === 'HEAD';
  const range = isHead ? undefined : rangeOf(request, file.bytes, etag);
  if (range === 'none') {
    return new Response(null, {
      status: 416,
      headers: { ...headers, 'Content-Range': `bytes */${file.bytes}` },
    });
  }
  const { from, to } = range ?? { from: 0, to: file.bytes };
  headers['Content-Length'] = String(to - from);
  if (range !== undefined) headers['Content-Range'] = `bytes ${from}-${to - 1}/${file.bytes}`;
  const body = isHead ? null : pieces(file.digest, from, to, bytes);
  return new Response(body, { status: range === undefined ? 200 : 206, headers });
}

function pieces(digest: string, from: number, to: number, bytes: FileBytes): ReadableStream<Uint8Array> {
  let at = from;
  return new ReadableStream({
    async pull(controller) {
      if (at >= to) {
        controller.close();
        return;
      }
      const piece = await bytes.read(digest, at, Math.min(PIECE_BYTES, to - at));
      if (piece === undefined || piece.length === 0)
        throw new Error(`file ${digest} ends at byte ${at} of ${to}`);
      at += piece.length;
      controller.enqueue(piece);
    },
  });
}

/** The name of the address, with an ending under which no program runs it. */
function savedName({ type }: FileRecord, name: string): string {
  if (type === 'application/pdf') return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
  if (!ACTIVE.test(name)) return name;
  return type.startsWith('text/') ? `${name}.txt` : `${name}.zip`;
}

/** Text that a double click would run or open as a page. */
const ACTIVE =
  /\.(?:x?html?|xht|mht(?:ml)?|svg|xml|js|mjs|hta|bat|cmd|ps1|vbs|wsf|exe|scr|url|lnk|jar|apk|msi|com)$/i;

function namesTag(header: string | null, etag: string): boolean {
  return header !== null && header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}

/** One range (RFC 9110, 14); several of them, or a range of another version, are the whole file. */
function rangeOf(
  request: Request,
  length: number,
  etag: string,
): { readonly from: number; readonly to: number } | 'none' | undefined {
  const condition = request.headers.get('if-range');
  if (condition !== null && condition !== etag) return undefined;
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.headers.get('range') ?? '');
  if (found === null) return undefined;
  const [, first = '', last = ''] = found;
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === '' || last === '' ? length : Math.min(length, Number(last) + 1);
  return from >= to ? 'none' : { from, to };
}
