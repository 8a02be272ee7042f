import { doneReply, errorReply, type Route, ROUTE_NAMES, ROUTES } from '../../../contract/index.ts';
import type { JsonObject } from '../../../text/json-value.ts';
import type { LanguageRule } from '../../language.ts';
import { type Beyond, partsBeyond } from './beyond.ts';
import { type Operation, operationOf, TAGS } from './operations.ts';
import { replyComponents } from './replies.ts';
import { languageSchema, schemaOf, withLanguage } from './schemas.ts';

/** The part of OpenAPI 3.1 that this service needs to describe itself. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: JsonObject;
  readonly servers: readonly JsonObject[];
  readonly security: readonly JsonObject[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> } & JsonObject;
}

/**
 * The API of this service as an OpenAPI 3.1 document, made of the route table and the contract's schemas. `rule`: with fixed
 * languages, they are the values of `lang`.
 */
export function openApiDocument(rule?: LanguageRule, beyond: Beyond = {}): OpenApiDocument {
  const schemas: Record<string, JsonObject> = {
    error: schemaOf(errorReply, 'output'),
    done: schemaOf(doneReply, 'output'),
    language: languageSchema(rule),
  };
  const paths: Record<string, Record<string, Operation>> = {};
  for (const name of ROUTE_NAMES) {
    const route: Route = ROUTES[name];
    if (route.body !== undefined) schemas[`${name}Body`] = withLanguage(schemaOf(route.body, 'input'));
    if (route.reply !== doneReply) schemas[`${name}Reply`] = schemaOf(route.reply, 'output');
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(
      name,
      route,
      beyond.hasRedirectSets === true,
    );
  }
  const parts = partsBeyond(beyond);
  for (const part of parts) {
    Object.assign(schemas, part.schemas);
    Object.assign(paths, part.paths);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Knowledge Base Management API',
      version: '2',
      description:
        'Articles, categories and tags of one knowledge base, its release versions, its links and its review dates. ' +
        'What this service adds to the API text travels in headers only; a client that does not know them loses nothing.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Whoever runs this knowledge base' },
    },
    servers: [{ url: '/', description: 'The service that this document comes from.' }],
    security: [{ key: [] }],
    tags: [...TAGS, ...parts.map(({ tag }) => tag)].map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'The API key of the knowledge base.' },
      },
      ...replyComponents(),
    },
  };
}
