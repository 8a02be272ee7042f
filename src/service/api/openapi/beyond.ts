import {
  FILE_DIGEST,
  FILE_NAME,
  FILE_ROUTES,
  HEADERS,
  INSIGHT_ROUTES,
  type InsightRouteName,
  INSIGHTS_MAX,
  REDIRECT_ROUTES,
  redirectSetBody,
  redirectSetReply,
  redirectsWrittenReply,
  REPOSITORY_NAME,
  storedFileReply,
} from '../../../contract/index.ts';
import type { JsonObject } from '../../../text/json-value.ts';
import type { Operation, Parameter } from './operations.ts';
import { jsonOf, refusalsOf, refused, type RefusedStatus, reply } from './replies.ts';
import { schemaOf } from './schemas.ts';

/** What a service may offer beyond the API text. */
export interface Beyond {
  readonly hasFiles?: boolean;
  readonly hasInsights?: boolean;
  readonly hasRedirectSets?: boolean;
}

/** What one of them adds to the document. */
interface Part {
  readonly tag: readonly [name: string, description: string];
  readonly schemas: Readonly<Record<string, JsonObject>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export function partsBeyond({ hasFiles, hasInsights, hasRedirectSets }: Beyond): readonly Part[] {
  return [
    ...(hasFiles === true ? [files()] : []),
    ...(hasInsights === true ? [insights()] : []),
    ...(hasRedirectSets === true ? [redirectSets()] : []),
  ];
}

/** The two endpoints for files, whose bodies are bytes and not JSON. */
function files(): Part {
  const digest: Parameter = {
    name: 'digest',
    in: 'path',
    required: true,
    description: 'SHA-256 of the bytes of the file, in hexadecimal.',
    schema: { type: 'string', pattern: FILE_DIGEST.source },
  };
  const name: Parameter = {
    name: 'name',
    in: 'query',
    required: true,
    description: 'The last part of its public address, like `refund.png`.',
    schema: { type: 'string', pattern: FILE_NAME.source },
  };
  return {
    tag: [
      'files',
      'Images and files that articles show. Beyond the API text, and announced with `files` in KB-Capabilities. Readers get a file without a key at `/files/{digest}/{name}`.',
    ],
    schemas: { storedFileReply: schemaOf(storedFileReply, 'output') },
    paths: {
      [FILE_ROUTES.readFile.path]: {
        get: {
          operationId: 'readFile',
          summary: 'Read what is known of a file',
          description:
            'Says whether a file is stored, so no file is sent twice. Who asks for a file keeps it from being swept.',
          tags: ['files'],
          parameters: [digest],
          responses: {
            200: reply('The file is there.', 'storedFileReply'),
            ...refused([400, 401, 404, 429, 431, 500, 503]),
          },
        },
        put: {
          operationId: 'storeFile',
          summary: 'Store a file',
          description:
            'Stores the bytes of the body under their SHA-256. What they are is told by the bytes and not by the name or a Content-Type; an SVG is kept without scripts and addresses of others.',
          tags: ['files'],
          parameters: [digest, name],
          requestBody: { required: true, content: { 'application/octet-stream': {} } },
          responses: {
            200: reply('The file was there already.', 'storedFileReply'),
            201: reply('The file is stored.', 'storedFileReply'),
            ...refused([400, 401, 403, 408, 413, 415, 429, 431, 500, 503]),
          },
        },
      },
    },
  };
}

const INSIGHTS: Readonly<Record<InsightRouteName, readonly [summary: string, description: string]>> = {
  listSearchMisses: [
    'List searches without a result',
    'Queries of the last 90 days for which the help centre found no page, the most frequent first. Queries that may say who asked are not kept.',
  ],
  listFeedback: [
    'List what readers said of articles',
    'Answers to “Was this page helpful?” by article and translation, the most negative first.',
  ],
  listStaleArticles: [
    'List articles that are read and not edited',
    'Published originals by views multiplied by the days since they or a translation were last edited.',
  ],
};

function insights(): Part {
  const count: Parameter = {
    name: 'count',
    in: 'query',
    required: false,
    description: 'Only so many; 100 if it is left out.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: INSIGHTS_MAX },
  };
  // The keys of a constant are its type's keys.
  const names = Object.keys(INSIGHT_ROUTES) as InsightRouteName[];
  const operation = (name: InsightRouteName): Operation => {
    const [summary, description] = INSIGHTS[name];
    const { path } = INSIGHT_ROUTES[name];
    return {
      operationId: name,
      summary,
      description,
      tags: ['insights'],
      parameters: [count],
      responses: { 200: reply('Done.', `${name}Reply`), ...refused(refusalsOf('GET', path)) },
    };
  };
  return {
    tag: [
      'insights',
      'What readers looked for in vain, what they said of articles, and what they read. Beyond the API text, and announced with `insights` in KB-Capabilities.',
    ],
    schemas: Object.fromEntries(
      names.map((name) => [`${name}Reply`, schemaOf(INSIGHT_ROUTES[name].reply, 'output')]),
    ),
    paths: Object.fromEntries(names.map((name) => [INSIGHT_ROUTES[name].path, { get: operation(name) }])),
  };
}

function redirectSets(): Part {
  const repository: Parameter = {
    name: 'repository',
    in: 'query',
    required: true,
    description: 'The name of the repository, as `id` of its kbsync.yaml.',
    schema: { type: 'string', pattern: REPOSITORY_NAME.source },
  };
  const responses = (name: string, statuses: readonly RefusedStatus[]) => ({
    200: reply('Done.', `${name}Reply`, [HEADERS.redirectSets]),
    ...refused(statuses),
  });
  return {
    tag: [
      'redirects',
      'Old addresses of pages, one set for each repository. Beyond the API text, and announced with `redirect-sets` in KB-Capabilities. Lists tell in KB-Redirect-Sets which sets there are.',
    ],
    schemas: {
      replaceRedirectsBody: schemaOf(redirectSetBody, 'input'),
      readRedirectsReply: schemaOf(redirectSetReply, 'output'),
      replaceRedirectsReply: schemaOf(redirectsWrittenReply, 'output'),
    },
    paths: {
      [REDIRECT_ROUTES.readRedirects.path]: {
        get: {
          operationId: 'readRedirects',
          summary: 'Read the old addresses of a repository',
          description: 'An empty tag says that the repository has none.',
          tags: ['redirects'],
          parameters: [repository],
          responses: responses('readRedirects', [400, 401, 429, 431, 500, 503]),
        },
        put: {
          operationId: 'replaceRedirects',
          summary: 'Replace the old addresses of a repository',
          description:
            'Replaces all of them or none. The help centre leads an old address on only if it has no page there. A set without lines is deleted. The sets of other repositories stay as they are, and an address that one of them had before stays with it.',
          tags: ['redirects'],
          parameters: [repository],
          requestBody: { required: true, content: jsonOf('#/components/schemas/replaceRedirectsBody') },
          responses: responses('replaceRedirects', [400, 401, 403, 408, 413, 415, 429, 431, 500, 503]),
        },
      },
    },
  };
}
