import { hash } from 'node:crypto';
import type { OpenApiDocument } from './openapi/openapi.ts';
import type { Operation, Parameter } from './openapi/operations.ts';
import { escapedHtml } from '../../text/escaped-html.ts';
import type { JsonObject } from '../../text/json-value.ts';

const STYLE = `:root{color-scheme:light dark;--line:#8884;--soft:#8881;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:60rem;padding:1rem}
nav ul{columns:3 14rem;padding:0;list-style:none}
h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
article{margin:2rem 0}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
.at{background:var(--soft);padding:.4rem .6rem;border-radius:.3rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--line)}
a:focus-visible{outline:2px solid}`;

/** What the page may load: its own style, and nothing else. */
export const REFERENCE_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The OpenAPI document as one page of HTML: no script, nothing from elsewhere. */
export function referencePage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `<section id="${escapedHtml(name)}"><h2>${escapedHtml(name)}</h2><p>${escapedHtml(description)}</p>${own
      .map(({ path, method, operation }) => articleOf(document, { path, method, operation }))
      .join('')}</section>`;
  });
  const links = operations.map(
    ({ operation }) =>
      `<li><a href="#${escapedHtml(operation.operationId)}">${escapedHtml(operation.summary)}</a></li>`,
  );
  const title = escapedHtml(String(document.info['title']));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head>
<body><header><h1>${title}</h1><p>${escapedHtml(String(document.info['description']))}</p>
<p>Every request carries <code>Authorization: Bearer &lt;API_KEY&gt;</code> and <code>Content-Type: application/json</code>.
The same in machine-readable form: <a href="/openapi.json">openapi.json</a>.</p></header>
<nav aria-label="Endpoints"><ul>${links.join('')}</ul></nav><main>${sections.join('')}</main></body></html>
`;
}

interface Shown {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function articleOf(document: OpenApiDocument, { path, method, operation }: Shown): string {
  const body = schemaIn(document, operation.requestBody);
  const [done, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [
    '',
    {},
  ];
  const refusals = Object.entries(operation.responses).filter(([status]) => !status.startsWith('2'));
  return `<article id="${escapedHtml(operation.operationId)}"><h3>${escapedHtml(operation.summary)}</h3>
<p class="at"><code>${method} ${escapedHtml(path)}</code></p>
${operation.parameters.length === 0 ? '' : table(['Parameter', 'In', 'Meaning'], operation.parameters.map(parameterRow))}
${body === undefined ? '' : `<h4>Body</h4>${fieldTable(body)}`}
<h4>Answer ${done}</h4>${fieldTable(schemaIn(document, success) ?? {})}
<h4>Refusals</h4>${table(
    ['Status', 'When'],
    refusals.map(([status, { $ref }]) => [status, escapedHtml(refusalText(document, String($ref)))]),
  )}</article>`;
}

function refusalText(document: OpenApiDocument, ref: string): string {
  const responses = document.components['responses'] as Readonly<Record<string, JsonObject>>; // as openapi/replies.ts makes it
  const description = responses[ref.split('/').at(-1) ?? '']?.['description'];
  return typeof description === 'string' ? description : '';
}

function parameterRow({ name, in: where, required, description }: Parameter): readonly string[] {
  return [
    `<code>${escapedHtml(name)}</code>${required ? ', required' : ''}`,
    where,
    escapedHtml(description),
  ];
}

/** The schema behind `content: {application/json: {schema: {$ref}}}`. */
function schemaIn(document: OpenApiDocument, holder: JsonObject | undefined): JsonObject | undefined {
  const schema = referred(document, JSON.stringify(holder ?? {}));
  if (schema === undefined) return undefined;
  const properties = Object.entries(Object(schema['properties']) as Readonly<Record<string, JsonObject>>).map(
    ([name, inner]) => [name, '$ref' in inner ? referred(document, JSON.stringify(inner)) : inner],
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

function referred(document: OpenApiDocument, text: string): JsonObject | undefined {
  const ref = /"\$ref":"#\/components\/schemas\/(\w+)"/.exec(text)?.[1];
  return ref === undefined ? undefined : document.components.schemas[ref];
}

function fieldTable(schema: JsonObject): string {
  return table(['Field', 'Type', '', 'Rule'], fieldRows(schema, ''));
}

function fieldRows(schema: JsonObject, prefix: string): readonly (readonly string[])[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(Object(schema['properties']) as Readonly<Record<string, JsonObject>>).flatMap(
    ([name, inner]) => {
      const at = `${prefix}${name}`;
      const row = [
        `<code>${escapedHtml(at)}</code>`,
        escapedHtml(typeOf(inner)),
        required.includes(name) ? 'required' : '',
        escapedHtml(ruleOf(inner)),
      ];
      return [row, ...variantsOf(inner).flatMap((variant) => below(variant, at))];
    },
  );
}

function below(schema: JsonObject, at: string): readonly (readonly string[])[] {
  const items = schema['items'];
  return typeof items === 'object' && items !== null
    ? fieldRows(items as JsonObject, `${at}[].`)
    : fieldRows(schema, `${at}.`);
}

function variantsOf(schema: JsonObject): readonly JsonObject[] {
  return Array.isArray(schema['anyOf']) ? (schema['anyOf'] as readonly JsonObject[]).slice(0, 1) : [schema];
}

/** What a value must be beyond its type; patterns are for machines. */
function ruleOf(schema: JsonObject): string {
  const [first = schema] = variantsOf(schema);
  const { maxLength, maxItems, description } = first;
  return [
    typeof description === 'string' ? description : '',
    typeof maxLength === 'number' ? `At most ${maxLength} characters.` : '',
    typeof maxItems === 'number' ? `At most ${maxItems} entries.` : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function typeOf(schema: JsonObject): string {
  if (Array.isArray(schema['anyOf']))
    return (schema['anyOf'] as readonly JsonObject[]).map(typeOf).join(' or ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' or ');
  if (schema['type'] === 'array') return `array of ${typeOf(Object(schema['items']) as JsonObject)}`;
  if (Array.isArray(schema['type'])) return schema['type'].join(' or ');
  return typeof schema['type'] === 'string' ? schema['type'] : 'any';
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}
