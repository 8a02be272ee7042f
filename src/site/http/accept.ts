/**
 * Whether a program asked for Markdown rather than a page (RFC 9110, 12.5.1). Of equal weights the one that is named first is
 * meant, which is how programs that read pages write it; browsers name no Markdown.
 */
export function prefersMarkdown(accept: string | null): boolean {
  const ranges = (accept ?? '')
    .slice(0, 1000)
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
    });
  const markdown = ranges.find(({ type }) => type === 'text/markdown');
  if (markdown === undefined || markdown.weight === 0) return false;
  const html = ranges.find(({ type }) => type === 'text/html' || type === 'text/*');
  if (html === undefined || markdown.weight > html.weight) return true;
  return markdown.weight === html.weight && ranges.indexOf(markdown) < ranges.indexOf(html);
}
