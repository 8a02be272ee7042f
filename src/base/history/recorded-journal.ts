import type { Intent, Journal, Overwritten } from '../base.ts';
import type { BaseRecord, BaseValue } from '../../model/record.ts';
import type { EndRecord, Found, History } from './history.ts';

/** The journal, which also tells the history what it is told. What an edit overwrites is on the disk before its intent. */
export function recordedJournal(journal: Journal, history: History): Journal {
  const intents = new Map<string, Intent>();
  return {
    intend: async (intent, over) => {
      intents.set(intent.op, intent);
      const { op, action, key, id, name } = intent;
      const past = action === 'delete' ? {} : pastOf(over);
      await history.add({ do: 'intend', op, action, key, id, name, ...past });
      await journal.intend(intent, over);
    },
    end: async (op, record) => {
      await journal.end(op, record);
      const intent = intents.get(op);
      // What an earlier run intended is in that run's log.
      if (intent === undefined) return;
      intents.delete(op);
      const done = record !== undefined && isDone(intent, record) ? { record: endOf(record) } : {};
      await history.add({ do: 'end', op, ...done });
    },
    note: (record, how) => journal.note(record, how),
  };
}

function pastOf(over: Overwritten | undefined): {
  readonly before: Found | 'new' | null;
  readonly after?: Overwritten['after'];
} {
  if (over === undefined) return { before: null };
  const { record, after } = over;
  if (record === undefined) return { before: 'new', after };
  const { id, fields, labels } = record;
  return { before: { id, fields, labels: Object.fromEntries(labels) }, after };
}

/** An edit that was refused ends with the base of before. */
function isDone({ action, sent = {} }: Intent, record: BaseRecord): boolean {
  const entries = Object.entries(sent);
  return action !== 'update' || entries.every(([name, value]) => isEqual(value, record.sent[name]));
}

function isEqual(a: BaseValue, b: BaseValue | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function endOf({ id, sent, forms }: BaseRecord): EndRecord {
  return { id, sent, ...(forms === undefined ? {} : { forms }) };
}
