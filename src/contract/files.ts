import { z } from 'zod';
import type { Route } from './routes.ts';

/** Names the bytes of a file: SHA-256, in hexadecimal. */
export const FILE_DIGEST = /^[0-9a-f]{64}$/;
/** What a file may be called in its address. */
export const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** A file as the service keeps it. */
export const storedFile = z.strictObject({
  /** From the root of the help centre; it never changes, and neither do the bytes there. */
  url: z.string().min(1),
  /** What the bytes are, not what their name says. */
  type: z.string().min(1),
  bytes: z.int().min(0).meta({ format: 'int64' }),
  /** In pixels, of pictures; else null. */
  width: z.int().nullable(),
  height: z.int().nullable(),
});
export type StoredFile = z.infer<typeof storedFile>;

export const storedFileReply = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  data: storedFile,
});

/**
 * Beyond the spec, and announced with `files` in KB-Capabilities: a place for the images and files that articles show. A file
 * goes by the SHA-256 of its bytes, so a file that is sent twice is one file. Its public address is
 * `/files/{digest}/{name}`, with any `name`.
 */
export const FILE_ROUTES = {
  readFile: { method: 'GET', path: '/api/v2/files/{digest}', reply: storedFileReply },
  storeFile: { method: 'PUT', path: '/api/v2/files/{digest}', reply: storedFileReply },
} as const satisfies Record<string, Route>;

export type FileRouteName = keyof typeof FILE_ROUTES;

/** What stands in KB-Capabilities of a service that stores files. */
export const FILES_TOKEN = 'files' as const;
