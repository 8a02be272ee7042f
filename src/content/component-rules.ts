/** By name: what becomes of a shortcode, component, include or container that is none of ours. */
export type ComponentRules = Readonly<Record<string, ComponentRule>>;
export type ComponentRule =
  | 'drop'
  | 'keep'
  /** Its text, and the texts of these attributes. */
  | { readonly keep: readonly string[] }
  | { readonly replace: string };
