/** What `work` makes; `otherwise` where a text is nested so deeply that the stack ends. */
export function unlessTooDeep<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}
