/** A check that costs something; after a success it is not repeated for some seconds. */
export interface Proof {
  /** Runs the check, unless it succeeded within the last seconds. */
  run(work: () => Promise<unknown>): Promise<void>;
}

/** A probe of every second or two must not become a load of its own. */
const HOLDS_MS = 5000;

export function createProof(): Proof {
  let provedMs: number | undefined;
  let underWay: Promise<void> | undefined;
  const prove = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      provedMs = performance.now();
    } finally {
      underWay = undefined;
    }
  };
  return {
    async run(work) {
      if (provedMs !== undefined && performance.now() - provedMs < HOLDS_MS) return;
      // Callers at the same time share one check, and its failure.
      await (underWay ??= prove(work));
    },
  };
}
