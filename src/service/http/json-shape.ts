import { Refusal } from '../refusal.ts';

export interface JsonLimits {
  readonly depthMax: number;
  /** Values of all depths together. */
  readonly valuesMax: number;
}

/** An object or array that is open: its keys so far, and the one that its next value has. */
interface Open {
  readonly keys: Set<string> | undefined;
  isKeyNext: boolean;
  key: string;
}

/**
 * Looks at the shape of a JSON text before it is parsed, because a parser builds first and asks later: how deep, how many
 * values, and whether an object names a field twice, of which a parser keeps one and says nothing. What is no JSON passes;
 * the parser finds it. Linear.
 * @throws Refusal 400
 */
export function checkJsonShape(text: string, { depthMax, valuesMax }: JsonLimits): void {
  const open: Open[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
      case '[':
        if (open.length === depthMax) throw new Refusal(400, 'the JSON is nested too deep');
        open.push({
          keys: text[at] === '{' ? new Set() : undefined,
          isKeyNext: text[at] === '{',
          key: '',
        });
        values += 1;
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',': {
        const inside = open.at(-1);
        if (inside?.keys !== undefined) inside.isKeyNext = true;
        values += 1;
        break;
      }
      case '"': {
        const end = endOfString(text, at);
        const inside = open.at(-1);
        if (inside?.keys !== undefined && inside.isKeyNext) noteKey(open, inside, text.slice(at, end + 1));
        at = end;
        break;
      }
    }
    if (values > valuesMax) throw new Refusal(400, `the JSON holds more than ${valuesMax} values`);
  }
}

function noteKey(open: readonly Open[], inside: Open, written: string): void {
  const key = stringFrom(written);
  if (inside.keys?.has(key) === true) {
    const path = [...open.slice(0, -1).map((outer) => outer.key), key].filter((name) => name !== '');
    throw new Refusal(400, `${path.join('.').slice(0, 200)}: is given twice; one of the two would be lost`);
  }
  inside.keys?.add(key);
  inside.key = key;
  inside.isKeyNext = false;
}

/** Where the string that begins at `start` ends; the text's end if it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

function stringFrom(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}
