/** By name: what becomes of a shortcode, component, include or container that is none of ours. */
export type ComponentRules = Readonly<Record<string, ComponentRule>>;
export type ComponentRule =
  | 'drop'
  | 'keep'
  /** Its text, and the texts of these attributes. */
  | { readonly keep: readonly string[] }
  | { readonly replace: string };

/** What a rule puts in the place of a whole part; undefined: it is another rule, or none. */
export function replacementOf(rule: ComponentRule | undefined): string | undefined {
  return typeof rule === 'object' && 'replace' in rule ? rule.replace : undefined;
}
