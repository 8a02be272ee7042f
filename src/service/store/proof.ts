/** Something that costs a little, and whose good end holds for a while. */
export interface Proof {
  /** Does it, unless it ended well within the last seconds. */
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
      // Those that come together share one, also its failure.
      await (underWay ??= prove(work));
    },
  };
}
