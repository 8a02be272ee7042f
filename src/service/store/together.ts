/**
 * Work of one transaction of which no part needs what another one answers: over PostgreSQL its statements leave together, in the order
 * in which they were begun, so the database is waited for once. Ends when all parts have ended: a statement that came later would be
 * part of no transaction, or of the next one. Throws what failed first; what fails after it only says that the transaction has failed.
 */
export async function together<const Parts extends readonly Promise<unknown>[]>(
  parts: Parts,
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  let isFailed = false;
  let failure: unknown;
  const ended = parts.map((part) =>
    part.catch((error: unknown) => {
      if (!isFailed) failure = error;
      isFailed = true;
    }),
  );
  await Promise.all(ended);
  if (isFailed) throw failure;
  return Promise.all(parts);
}
