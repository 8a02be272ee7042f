import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../../src/service/api/openapi/openapi.ts';
import type { Reply } from './rig.ts';

/** What HTTP itself brings along. */
const HEADERS_OF_HTTP = [
  'cache-control',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'x-content-type-options',
];

export interface Described {
  /** The schema of this name, compiled. */
  readonly schema: (name: string) => ValidateFunction;
  /** Of a schema as it stands in the document. */
  readonly judge: (schema: Readonly<Record<string, unknown>>) => ValidateFunction;
  /** Where a reply is not what the document says; empty if it is. */
  readonly problems: (operationId: string, reply: Reply) => readonly string[];
}

/** A served document, ready to judge replies. */
export function described(document: OpenApiDocument): Described {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  const schema = (name: string): ValidateFunction => {
    const found = ajv.getSchema(`api#/components/schemas/${name}`);
    if (found === undefined) throw new Error(`no schema ${name}`);
    return found;
  };
  const judges = new Map<string, ValidateFunction>();
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return {
    schema,
    judge(given) {
      const ref = given['$ref'];
      if (typeof ref === 'string') return schema(ref.slice(ref.lastIndexOf('/') + 1));
      const key = JSON.stringify(given);
      const made = judges.get(key) ?? ajv.compile(given);
      judges.set(key, made);
      return made;
    },
    problems(operationId, { status, headers, body }) {
      const operation = operations.find((found) => found.operationId === operationId);
      const given = operation?.responses[status];
      if (given === undefined) return [`${operationId}: ${status} is not described: ${JSON.stringify(body)}`];
      const response = resolved(document, given);
      const named = Object.keys(Object(response['headers'])).map((name) => name.toLowerCase());
      const unknown = [...headers.keys()].filter(
        (name) => ![...named, ...HEADERS_OF_HTTP].includes(name.toLowerCase()),
      );
      const problems = unknown.map((name) => `${operationId} ${status}: header ${name} is not described`);
      const ref = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(response['content'] ?? ''))?.[1];
      if (ref === undefined) return problems;
      const validate = schema(ref);
      if (validate(body)) return problems;
      return [
        ...problems,
        ...(validate.errors ?? []).map(
          ({ instancePath, message }) => `${operationId} ${status}: ${instancePath} ${message}`,
        ),
      ];
    },
  };
}

function resolved(document: OpenApiDocument, given: Readonly<Record<string, unknown>>) {
  const ref = given['$ref'];
  if (typeof ref !== 'string') return given;
  const target = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => Object(at)[step], document);
  return Object(target) as Readonly<Record<string, unknown>>;
}
