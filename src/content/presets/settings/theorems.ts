/** Parts with a number and a name in Quarto and bookdown: by the beginning of their label. Their class is the name in small letters. */
export const THEOREMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    thm: 'Theorem',
    lem: 'Lemma',
    cor: 'Corollary',
    prp: 'Proposition',
    cnj: 'Conjecture',
    def: 'Definition',
    exm: 'Example',
    exr: 'Exercise',
    hyp: 'Hypothesis',
    sol: 'Solution',
    rem: 'Remark',
    alg: 'Algorithm',
  }),
);
