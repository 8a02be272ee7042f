import { z } from 'zod';
import type { SearchHit } from '../../service/search/search.ts';
import { NO_MARKDOWN_HEADER } from '../pages/no-markdown.ts';
import { addressOf, pageOf } from '../addresses.ts';
import { urlOf } from '../../text/url.ts';

/** What the tools stand on. */
export interface Toolbox {
  readonly name: string;
  readonly origin: string;
  readonly languages: readonly string[];
  readonly defaultLanguage: string;
  readonly search: (query: string, language: string, limit: number) => Promise<readonly SearchHit[]>;
  /** The site's answer to a reader whom nobody knows. */
  readonly visit: (path: string, accept: string) => Promise<Response>;
}

/** The same three on every site, so a program knows them. */
export const TOOLS = [
  {
    name: 'search',
    title: 'Search the help centre',
    description: 'Finds pages by words. Answers titles, addresses and the place in the text.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 200 },
        language: { type: 'string', description: 'A code like en. Default: the language of the site.' },
        limit: { type: 'integer', minimum: 1, maximum: 20, default: 10 },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'get_page',
    title: 'Get a page',
    description: 'A page as Markdown, by its address or path: /en/articles/install.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', minLength: 1, maxLength: 2000 } },
      required: ['path'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'list_pages',
    title: 'List the pages',
    description: 'All pages of a language with what they are about. A long list has parts.',
    inputSchema: {
      type: 'object',
      properties: {
        language: { type: 'string', description: 'A code like en. Default: the language of the site.' },
        part: { type: 'integer', minimum: 1, maximum: 9999 },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
] as const;

const language = z.string().max(40).optional();
const searchInput = z.object({
  query: z.string().trim().min(1).max(200),
  language,
  limit: z.int().min(1).max(20).default(10),
});
const pageInput = z.object({ path: z.string().min(1).max(2000) });
const listInput = z.object({ language, part: z.int().min(1).max(9999).optional() });

export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError?: true;
}

const STEPS_MAX = 3;

/** Undefined: there is no such tool. What a model can put right is an answer for the model, not a fault. */
export async function callTool(name: string, input: unknown, box: Toolbox): Promise<ToolResult | undefined> {
  switch (name) {
    case 'search': {
      const read = searchInput.safeParse(input);
      return read.success ? found(read.data, box) : wrong('search takes query, language and limit (1 to 20)');
    }
    case 'get_page': {
      const read = pageInput.safeParse(input);
      return read.success ? pageAt(read.data.path, box) : wrong('get_page takes path');
    }
    case 'list_pages': {
      const read = listInput.safeParse(input);
      return read.success ? listed(read.data, box) : wrong('list_pages takes language and part');
    }
    default:
      return undefined;
  }
}

async function found(
  { query, language, limit }: z.infer<typeof searchInput>,
  box: Toolbox,
): Promise<ToolResult> {
  const known = languageIn(language, box);
  if (known === undefined) return unknownLanguage(box);
  const hits = await box.search(query, known, limit);
  if (hits.length === 0) return text(`Nothing was found for “${query}”.`);
  const lines = hits.map(
    ({ title, slug, snippet }) =>
      `- [${title}](${box.origin}${pageOf('article', known, slug)})\n  ${snippet.map((part) => part.text).join('')}`,
  );
  return text(lines.join('\n'));
}

/** As Markdown, and only what search engines may name: neither drafts nor what is hidden from search. */
async function pageAt(given: string, box: Toolbox): Promise<ToolResult> {
  let path = pathIn(given, box.origin);
  for (let step = 0; step < STEPS_MAX && path !== undefined && isPage(path); step += 1) {
    const reply = await box.visit(path, 'text/markdown');
    const location = reply.headers.get('location');
    if (location !== null) {
      path = pathIn(location, box.origin);
      continue;
    }
    const isPublic = reply.headers.get('x-robots-tag') === null;
    const isMarkdown = (reply.headers.get('content-type') ?? '').startsWith('text/markdown');
    if (reply.status === 200 && isPublic && isMarkdown) return text(await reply.text());
    const why = reply.headers.get(NO_MARKDOWN_HEADER);
    if (reply.status === 200 && isPublic && why !== null) {
      return wrong(
        `The page at ${given} has no Markdown (${why}). Read it as HTML, at ${box.origin}${path}.`,
      );
    }
    break;
  }
  return wrong(`There is no public page at ${given}. search and list_pages know the addresses.`);
}

async function listed({ language, part }: z.infer<typeof listInput>, box: Toolbox): Promise<ToolResult> {
  const known = languageIn(language, box);
  if (known === undefined) return unknownLanguage(box);
  const reply = await box.visit(`/${known}/llms${part === undefined ? '' : `-${part}`}.txt`, 'text/plain');
  return reply.status === 200 ? text(await reply.text()) : wrong('The list has no such part.');
}

function pathIn(given: string, origin: string): string | undefined {
  const url = urlOf(given, `${origin}/`);
  return url?.origin === origin ? url.pathname : undefined;
}

function isPage(path: string): boolean {
  const type = addressOf(path)?.place.type;
  return (
    type === 'record' || type === 'home' || type === 'tags' || type === 'releases' || path.endsWith('.md')
  );
}

function languageIn(given: string | undefined, { languages, defaultLanguage }: Toolbox): string | undefined {
  if (given === undefined) return defaultLanguage;
  return languages.find((one) => one.toLowerCase() === given.toLowerCase());
}

function unknownLanguage({ languages }: Toolbox): ToolResult {
  return wrong(`language is one of ${languages.join(', ')}.`);
}

function text(said: string): ToolResult {
  return { content: [{ type: 'text', text: said }] };
}

function wrong(said: string): ToolResult {
  return { ...text(said), isError: true };
}
