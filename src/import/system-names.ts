/** Systems that can be imported; a list of its own, because help and completions load no mapping. */
export const SYSTEM_NAMES = [
  'zendesk',
  'intercom',
  'freshdesk',
  'wordpress',
  'ghost',
  'confluence',
  'notion',
] as const;

export type SystemName = (typeof SYSTEM_NAMES)[number];
