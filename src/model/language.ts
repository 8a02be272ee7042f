/** `zh-CN`, `zh-cn` and `zh_CN` are one language; `pt` and `pt-BR` are two. */
export function sameLanguage(a: string, b: string): boolean {
  return a === b || spelling(a) === spelling(b);
}

function spelling(code: string): string {
  return code.replaceAll('_', '-').toLowerCase();
}

/** `pt` and `pt-BR` are one tongue. */
export function sameTongue(a: string, b: string): boolean {
  return spelling(a).split('-')[0] === spelling(b).split('-')[0];
}
