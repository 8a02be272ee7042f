import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

/**
 * The reply of a service that wraps its records as JSON:API does, with the fields of a record beside its id again: `{id, type, attributes:
 * {name}}`. What stands beside the id is never overwritten. Most services wrap nothing: then this is the reply itself.
 */
export function withAttributes(reply: JsonObject): JsonObject {
  const { data } = reply;
  if (Array.isArray(data)) return isWrapped(data[0]) ? { ...reply, data: data.map(unwrapped) } : reply;
  return isWrapped(data) ? { ...reply, data: unwrapped(data) } : reply;
}

function isWrapped(item: unknown): boolean {
  return isJsonObject(item) && isJsonObject(item['attributes']) && item['name'] === undefined;
}

function unwrapped(item: unknown): unknown {
  if (!isJsonObject(item)) return item;
  const { attributes } = item;
  return isJsonObject(attributes) ? { ...attributes, ...item } : item;
}
