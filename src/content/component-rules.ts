/** By name: what becomes of a shortcode, component, include or container that is none of ours. */
export type ComponentRules = Readonly<Record<string, ComponentRule>>;
export type ComponentRule = 'drop' | 'keep' | { readonly replace: string };
