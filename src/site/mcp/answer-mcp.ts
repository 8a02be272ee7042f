import { z } from 'zod';
import { readBytes } from '../../service/http/request-body.ts';
import { textReply } from '../http/reply.ts';
import { callTool, type Toolbox, TOOLS } from './tools.ts';

export const MCP_PATH = '/mcp';

const BODY_BYTES_MAX = 32_000;
/** The newest one first; all of them are the same for a server that only answers. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** JSON-RPC 2.0's own codes. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

const message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.number()]).optional(),
  method: z.string().max(100),
  params: z.record(z.string(), z.unknown()).optional(),
});
type Message = z.infer<typeof message>;

const initializeParams = z.object({ protocolVersion: z.string() });
const callParams = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });

/**
 * Model Context Protocol over streamable HTTP, without sessions: each request is answered by itself, with one JSON document.
 * @throws Refusal 413
 */
export async function answerMcp(request: Request, toolbox: Toolbox): Promise<Response> {
  const { name, origin } = toolbox;
  if (request.method !== 'POST') {
    return textReply(405, 'This is an MCP server. It takes POST and keeps no streams open.', {
      Allow: 'POST',
    });
  }
  // A page elsewhere must not ask through its reader's browser what only the reader can reach.
  const from = request.headers.get('origin');
  if (from !== null && from !== origin) return textReply(403, 'Origin: only pages of this site may ask.');
  const version = request.headers.get('mcp-protocol-version');
  if (version !== null && !VERSIONS.includes(version)) {
    return fault(
      400,
      undefined,
      INVALID_REQUEST,
      `MCP-Protocol-Version must be one of ${VERSIONS.join(', ')}`,
    );
  }
  const given = parsed(await readBytes(request, BODY_BYTES_MAX));
  if (given === undefined) return fault(400, undefined, PARSE_ERROR, 'the body is not JSON');
  const read = message.safeParse(given);
  if (!read.success)
    return fault(400, undefined, INVALID_REQUEST, 'the body is not one JSON-RPC 2.0 message');
  const { id, method, params = {} } = read.data;
  if (id === undefined) return new Response(null, { status: 202 });
  return answered(id, method, params, { toolbox, name });
}

async function answered(
  id: NonNullable<Message['id']>,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { toolbox, name }: { readonly toolbox: Toolbox; readonly name: string },
): Promise<Response> {
  switch (method) {
    case 'initialize': {
      const asked = initializeParams.safeParse(params).data?.protocolVersion ?? '';
      return result(id, {
        protocolVersion: VERSIONS.includes(asked) ? asked : VERSIONS[0],
        capabilities: { tools: {} },
        serverInfo: { name, version: '1' },
        instructions:
          'The public pages of a help centre. Search first, then get the page; name the page’s address in answers.',
      });
    }
    case 'ping':
      return result(id, {});
    case 'tools/list':
      return result(id, { tools: TOOLS });
    case 'tools/call': {
      const call = callParams.safeParse(params);
      if (!call.success) return fault(200, id, INVALID_PARAMS, 'params: name and arguments of a tool');
      const said = await callTool(call.data.name, call.data.arguments ?? {}, toolbox);
      return said === undefined ? fault(200, id, INVALID_PARAMS, 'there is no such tool') : result(id, said);
    }
    default:
      return fault(200, id, METHOD_NOT_FOUND, 'this server has tools only');
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function result(id: string | number, content: object): Response {
  return json(200, { jsonrpc: '2.0', id, result: content });
}

function fault(status: number, id: string | number | undefined, code: number, text: string): Response {
  return json(status, { jsonrpc: '2.0', id: id ?? null, error: { code, message: text } });
}

function json(status: number, content: object): Response {
  return new Response(JSON.stringify(content), {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
