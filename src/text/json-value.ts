/** An object of a JSON text. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value of a JSON text; undefined: it is not JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with members: not a list, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
