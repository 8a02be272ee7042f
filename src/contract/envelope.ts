import { z } from 'zod';

/** Spec, "Errors": a `message` that describes the error. */
export const errorReply = z.strictObject({ success: z.literal(false), message: z.string() });
export type ErrorReply = z.infer<typeof errorReply>;

/** A reply that says only that it worked; edits, creates and deletes answer so. */
export const doneReply = z.strictObject({ success: z.literal(true), message: z.string() });
export type DoneReply = z.infer<typeof doneReply>;

/** Spec, "Creator object": the owner of the API key that made the record. */
export const creator = z.strictObject({
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email_address: z.string(),
});

/** Spec, "Resources and their fields": identifiers are opaque strings. */
export const id = z.string().min(1);

/** `{language}` entries: the language codes of a record's translations. */
export const languages = z.array(z.strictObject({ language: z.string().min(1) }));

/** ISO 8601 with a `Z` suffix, unless stated otherwise; three digits of a second where a person chose the moment, else six. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:\d{3})?Z$/)
  .meta({ format: 'date-time' });

/** `YYYY-MM-DD HH:MM:SS.ffffff`, the spelling of the article list's `last_edited_date`. */
export const listTimestamp = z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/);
/** How many there are. */
export const count = z.int().min(0).meta({ format: 'int64' });
