import pLimit from 'p-limit';
import type { Spool } from '../../content/files/folder.ts';
import { digestOfBytes } from '../../model/digest.ts';
import { fieldsOf } from '../../model/fields.ts';
import { digestsIn, fileAddress, fileName } from '../../model/address/file-address.ts';
import type { LocalFile } from '../../model/record.ts';
import { keepsFiles } from '../../remote/keeps-files.ts';
import type { Remote } from '../../remote/remote.ts';
import type { SourceRecord } from './read-source.ts';

/** An image or a file of the source that the target is to keep. */
export interface CarriedFile {
  /** Of the bytes that the source shows. */
  readonly digest: string;
  /** Where the target shows it, from the root. */
  readonly address: string;
  readonly file: LocalFile;
}

/** By the address on the source, from the root. */
export type CarriedFiles = ReadonlyMap<string, CarriedFile>;

export interface FileSource {
  readonly target: Remote;
  readonly spool: Spool;
  /** Of the source's help centre. */
  readonly origin: string;
  readonly atOnce: number;
  /** As a reader asks: without a key. */
  readonly ask: (request: Request) => Promise<Response>;
}

/**
 * The images and files that these records show from the source's own store, if the target keeps files. One that the source does not
 * have is not among them. A drawing that the source has cleaned goes by the digest of what is left of it.
 */
export async function carriedFiles(
  records: readonly SourceRecord[],
  source: FileSource,
): Promise<CarriedFiles> {
  const addresses = new Set(records.flatMap((record) => addressesIn(record, source.spool)));
  if (addresses.size === 0 || !(await keepsFiles(source.target))) return new Map();
  const limit = pLimit(source.atOnce);
  const found = await Promise.all(
    [...addresses].map((address) =>
      limit(async () => [address, await carriedFile(address, source)] as const),
    ),
  );
  return new Map(found.flatMap(([address, file]) => (file === undefined ? [] : [[address, file] as const])));
}

const ADDRESS = /\/files\/[0-9a-f]{64}\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}/g;

function addressesIn({ kind, fields, body }: SourceRecord, spool: Spool): readonly string[] {
  const values = [...fieldsOf(kind)].map(([name, { type }]) => (type === 'url' ? fields[name] : undefined));
  return [spool.get(body), ...values].flatMap((text) =>
    typeof text === 'string' ? (text.match(ADDRESS) ?? []) : [],
  );
}

async function carriedFile(address: string, { origin, ask }: FileSource): Promise<CarriedFile | undefined> {
  const url = `${origin}${address}`;
  const head = await ask(new Request(url, { method: 'HEAD', redirect: 'manual' }));
  if (head.status !== 200) return undefined;
  // RFC 9530: what is shown may be another text than what was sent.
  const [, shown] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/.exec(head.headers.get('repr-digest') ?? '') ?? [];
  const [named = ''] = digestsIn(address);
  const digest = shown === undefined ? named : Buffer.from(shown, 'base64').toString('hex');
  const read = async (): Promise<Buffer | undefined> => {
    const response = await ask(new Request(url, { redirect: 'manual' }));
    const bytes = Buffer.from(await response.arrayBuffer());
    const isSame = digestOfBytes(bytes) === digest;
    return response.status === 200 && isSame ? bytes : undefined;
  };
  const bytes = Number(head.headers.get('content-length') ?? 0);
  const file = { path: url, name: fileName(address), bytes, read };
  return { digest, address: fileAddress(digest, address), file };
}
