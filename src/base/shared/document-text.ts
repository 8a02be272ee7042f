import { digestOfText } from '../../model/digest.ts';
import { BaseError } from '../base.ts';
import { isCount, jsonOf } from '../state/state-text.ts';
import type { SharedDocument } from './shared-store.ts';
import { isJsonObject } from '../../text/json-value.ts';

/** A document as one JSON text, for a store that keeps one body. */
export interface NumberedDocument {
  /** One more with each write. */
  readonly serial: number;
  readonly fence: number;
  readonly document: SharedDocument;
}

const FORMAT = 1;

/**
 * The text has the names `version` and `serial` at its top, because servers for Terraform's states look for them. The
 * previous generation is left out: it would make each write larger by half.
 */
export function documentText({ serial, fence, document: { state, journal } }: NumberedDocument): string {
  const body = bodyText({ state, journal });
  const head = { version: 4, serial, kbsync: 'shared-state', format: FORMAT, fence, sum: digestOfText(body) };
  return `${JSON.stringify(head).slice(0, -1)},"body":${body}}\n`;
}

/** @throws BaseError `damaged`, `newer-format` */
export function parseDocument(text: string, name: string): NumberedDocument {
  const damaged = (why: string): BaseError =>
    new BaseError(
      'damaged',
      `${name} ${why}. kbsync does not treat it as empty and does not write there. ` +
        'Name another address as `state:`, or put a good copy there.',
    );
  const json = jsonOf(text);
  if (json?.['kbsync'] !== 'shared-state')
    throw damaged('holds something that kbsync did not write (a state of Terraform?)');
  const { serial, fence, format, sum, body } = json;
  if (isCount(format) && format > FORMAT) {
    throw new BaseError(
      'newer-format',
      `${name} has format ${format}; this kbsync reads format ${FORMAT}. Use the newer kbsync that wrote it.`,
    );
  }
  // Servers may keep JSON and not text, so the order of its names is theirs.
  const { state, journal } = isJsonObject(body) ? body : {};
  if (!isCount(serial) || !isCount(fence) || sum !== digestOfText(bodyText({ state, journal })))
    throw damaged('holds a state that does not fit its checksum');
  return {
    serial,
    fence,
    document: {
      ...(typeof state === 'string' ? { state } : {}),
      ...(typeof journal === 'string' ? { journal } : {}),
    },
  };
}

function bodyText({ state, journal }: { readonly state?: unknown; readonly journal?: unknown }): string {
  return JSON.stringify({ state: state ?? null, journal: journal ?? null });
}
