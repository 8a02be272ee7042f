import { CAPABILITY_TOKENS } from '../../../contract/headers.ts';
import { KINDS, type Kind } from '../../../model/key.ts';
import { sameTongue } from '../../../model/language.ts';
import type { Capabilities } from '../../../model/record.ts';
import type { Access } from '../../../session/access.ts';
import { withClient } from '../../../session/session.ts';
import type { Remote, RemoteList, Send } from '../../../remote/remote.ts';
import { counted, lasting } from '../../print/terminal/numbers.ts';
import type { World } from '../../world.ts';
import { failed, type Check } from './check.ts';
import { COLLECTION } from '../../../remote/wire/paths.ts';

export interface DoctorAsks {
  readonly access: Access;
  /** What the state knows of the service. */
  readonly capabilities: Capabilities;
  readonly defaultLanguage: string;
}

const SKEW_MAX_MS = 60_000;

/** The three lists that every sync reads, one translation, and what all of it says of the service. Reads only. */
export async function serviceFindings(asks: DoctorAsks, world: World): Promise<readonly Check[]> {
  const findings: Check[] = [];
  let headers = new Headers();
  let check = 'service';
  const wrap = (send: Send): Send => {
    return async (request) => {
      const response = await send(request);
      ({ headers } = response);
      return response;
    };
  };
  const client = { ...asks, machine: world, emit: () => undefined, concurrencyMax: 1, wrap };
  const { clock } = world;
  await withClient(client, async (remote) => {
    try {
      const lists: RemoteList[] = [];
      for (const kind of KINDS) {
        check = COLLECTION[kind];
        const startedMs = clock.now();
        const list = await remote.list(kind);
        lists.push(list);
        findings.push(listFinding(kind, list, clock.now() - startedMs));
      }
      findings.push(...originalsFinding(lists, asks.defaultLanguage));
      check = 'read-lang';
      await tryTranslation(remote, lists, asks.defaultLanguage);
      findings.push(...clockFinding(headers, clock.now()), ...gapFindings(remote.capabilities()));
      findings.push({ check: 'rate limit', standing: 'ok', found: limitsIn(headers) });
    } catch (error) {
      findings.push(failed(check, error));
    }
  });
  return findings;
}

function listFinding(kind: Kind, { items, total, limit }: RemoteList, tookMs: number): Check {
  const check = COLLECTION[kind];
  const found = `${counted(items.length, 'record')} in ${lasting(tookMs)}`;
  if (total !== undefined && total > items.length) {
    return {
      check,
      standing: 'warning',
      found: `${found}, of ${total}: the list is truncated`,
      help: 'kbsync deletes nothing and holds back new records; with a tag on every article it finds all of them',
    };
  }
  if (total === undefined && limit !== undefined && limit === items.length) {
    return {
      check,
      standing: 'warning',
      found: `${found}, exactly the limit: the list may be truncated`,
      help: 'if you know that it is complete: --assume-complete',
    };
  }
  return { check, standing: 'ok', found };
}

/** The language of the originals, of a service that tells it. */
function originalsFinding(lists: readonly RemoteList[], ours: string): readonly Check[] {
  const told = lists.find(({ defaultLanguage }) => defaultLanguage !== undefined)?.defaultLanguage;
  if (told === undefined) return [];
  const check = 'originals';
  if (sameTongue(told, ours)) return [{ check, standing: 'ok', found: `in ${told}` }];
  const found = `the service has its originals in ${told}, and the files theirs in ${ours}`;
  return [{ check, standing: 'warning', found, help: `write \`defaultLanguage: ${told}\` into kbsync.yaml` }];
}

/** Whether the service shows translations is learnt from the first record that has one. */
async function tryTranslation(
  remote: Remote,
  lists: readonly RemoteList[],
  defaultLanguage: string,
): Promise<void> {
  const isOther = (code: string): boolean => code.toLowerCase() !== defaultLanguage.toLowerCase();
  const translated = lists.flatMap(({ items }) => items).find(({ languages }) => languages.some(isOther));
  const lang = translated?.languages.find(isOther);
  if (translated !== undefined && lang !== undefined) await remote.read(translated.kind, translated.id, lang);
}

function clockFinding(headers: Headers, nowMs: number): readonly Check[] {
  const skewMs = Math.abs(nowMs - Date.parse(headers.get('date') ?? ''));
  const check = 'clock';
  if (Number.isNaN(skewMs)) return [];
  if (skewMs <= SKEW_MAX_MS) return [{ check, standing: 'ok', found: 'agrees with the service' }];
  const found = `differs from the service by ${lasting(skewMs)}`;
  return [
    { check, standing: 'warning', found, help: 'set this machine’s clock; dates of edits are compared' },
  ];
}

interface Gap {
  readonly yes: string;
  readonly otherwise: string;
  /** Where a service that is known not to do it costs a sync something. */
  readonly no?: string;
}

/** What the API’s text leaves open (docs/reference/gaps.md): what this service does, and what a sync does about it. */
const GAPS: Readonly<Record<(typeof CAPABILITY_TOKENS)[number], Gap>> = {
  location: {
    yes: 'the answer to a create names the new id',
    otherwise: 'the answer to a create may not name the new id; kbsync looks it up in the next list',
  },
  'if-match': {
    yes: 'an edit based on an old read is refused',
    otherwise: 'a record is read again just before it is written',
  },
  'idempotency-key': {
    yes: 'a repeated create is carried out once',
    otherwise: 'a create is sent once; if its answer is lost, kbsync looks the record up',
  },
  'read-lang': {
    yes: 'translations can be read',
    otherwise: 'not known yet whether translations can be read; the next sync of one finds out',
    no: 'translations cannot be read: they are written when their file changes, and never deleted',
  },
  'edit-lang': {
    yes: 'an edit of a translation leaves the original alone',
    otherwise: 'the first write in each language is checked against the original',
    no: 'an edit of a translation changes the original: no translation is sent',
  },
  'full-lists': {
    yes: 'lists hold every record',
    otherwise: 'nothing is deleted while a list may be truncated',
    no: 'lists are truncated: nothing is deleted, and new records need --assume-complete',
  },
  'last-edited': {
    yes: 'the answer to a write names the date that the list will show',
    otherwise: 'the lists are read again after a write',
  },
  'keeps-html': {
    yes: 'HTML comes back as it was sent',
    otherwise: 'what was sent and what comes back are both remembered',
  },
  'list-etag': {
    yes: 'a list that has not changed is not sent again',
    otherwise: 'the lists are read in full each time',
  },
};

function gapFindings(known: Capabilities): readonly Check[] {
  return CAPABILITY_TOKENS.map((check) => {
    const { yes, otherwise, no } = GAPS[check];
    if (known[check] === 'yes') return { check, standing: 'ok', found: `yes: ${yes}` };
    if (known[check] === 'no' && no !== undefined) {
      return { check, standing: 'warning', found: no, help: 'docs/reference/gaps.md says what that means' };
    }
    const standing = 'ok' as const;
    return { check, standing, found: `${known[check] === 'no' ? 'no' : 'not known'}: ${otherwise}` };
  });
}

function limitsIn(headers: Headers): string {
  const limits = [...headers].filter(([name]) => /^(x-)?ratelimit/i.test(name));
  return limits.length === 0 ? 'none named' : limits.map(([name, value]) => `${name} ${value}`).join(', ');
}
