import { z } from 'zod';

/** Spec, "What the service does": every response body has `success`; `message` carries a success or error text. */
export const envelope = z.looseObject({ success: z.boolean(), message: z.string().optional() });

/** Spec, "Errors": a `message` that describes the error. */
export const errorReply = z.looseObject({ success: z.literal(false), message: z.string() });
export type ErrorReply = z.infer<typeof errorReply>;

/** A reply that says only that it worked; edits, creates and deletes answer so. */
export const doneReply = z.looseObject({ success: z.literal(true), message: z.string().optional() });
export type DoneReply = z.infer<typeof doneReply>;

/** Spec, "Creator object"; null where the service does not say who made the record. */
export const creator = z.looseObject({
  username: z.string().nullable(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  email_address: z.string().nullable(),
});

/** Spec, "Resources and their fields": identifiers are opaque strings. */
export const id = z.string().min(1);

/** `{language}` entries: the language codes of a record's translations. */
export const languages = z.array(z.looseObject({ language: z.string() }));

/** ISO 8601 with a `Z` suffix, unless stated otherwise. Kept as text: a date of theirs is never computed with. */
export const timestamp = z.string();

/** `YYYY-MM-DD HH:MM:SS.ffffff`, the spelling of the article list's `last_edited_date`. */
export const listTimestamp = z.string();
