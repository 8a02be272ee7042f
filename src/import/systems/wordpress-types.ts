/** Types whose items are articles, without being asked: WordPress's own and those of plug-ins for help centres. */
const ARTICLE_TYPES = new Set(
  'post page docs doc kb knowledgebase ht_kb epkb_post_type_1 helphub_version manual_documentation'.split(
    ' ',
  ),
);

export function isArticleType(type: string, asked: readonly string[]): boolean {
  return ARTICLE_TYPES.has(type) || asked.includes(type);
}

/** Why an item of this status does not come; undefined: it does. */
export function skippedStatus(status: string): 'trash' | 'kind' | undefined {
  if (status === 'trash' || status === 'auto-draft') return 'trash';
  return status === 'inherit' ? 'kind' : undefined;
}
