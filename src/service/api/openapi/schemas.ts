import { z } from 'zod';
import { languageCode } from '../../../contract/index.ts';
import type { JsonObject } from '../../../text/json-value.ts';
import { enabledLanguages, type LanguageRule } from '../../language.ts';

/** What zod knows of it, as JSON schema. `input`: as it is sent; `output`: as it is answered. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, '~standard': _standard, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

/** One place for what codes are taken. */
export function withLanguage(body: JsonObject): JsonObject {
  const properties = body['properties'] as JsonObject | undefined; // a body is an object
  if (properties?.['lang'] === undefined) return body;
  return { ...body, properties: { ...properties, lang: { $ref: '#/components/schemas/language' } } };
}

export function languageSchema(rule: LanguageRule | undefined): JsonObject {
  if (rule?.languages === undefined) return schemaOf(languageCode, 'input');
  return {
    type: 'string',
    description: 'A language of this knowledge base, in any case.',
    enum: enabledLanguages(rule, []),
  };
}
