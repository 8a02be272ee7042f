import { Parser } from 'htmlparser2';
import { Refusal } from '../refusal.ts';
import { escapedHtml } from '../../text/escaped-html.ts';

/**
 * A drawing with only what cannot do harm: no script, no handler, no foreign markup, nothing from elsewhere. A drawing that has
 * nothing else keeps its bytes. An element that is not on the list goes with all that is in it.
 * @throws Refusal 413 for elements that are nested deeper than any drawing program nests them
 */
export function sanitisedSvg(text: string): string {
  const { body, isPlain } = withoutDoctype(text);
  const written: string[] = [];
  const open: string[] = [];
  let hasHarm = !isPlain || HIDDEN.test(body);
  /** How many open elements are left out. */
  let outside = 0;
  let style = '';
  const endStyle = (): void => {
    // Rules may come in pieces: what is judged is the whole.
    if (isHarmlessCss(style)) written.push(escapedHtml(style));
    else hasHarm = true;
    style = '';
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        // The parser takes longer with each level.
        if (outside + open.length >= DEPTH_MAX) throw new Refusal(413, TOO_DEEP);
        if (outside > 0 || !ELEMENTS.has(name)) {
          outside += 1;
          hasHarm = true;
          return;
        }
        const given = Object.entries(attributes);
        const kept = given.filter(([key, value]) => isHarmless(name, key, value));
        if (kept.length < given.length) hasHarm = true;
        if (open.at(-1) === 'style') endStyle();
        open.push(name);
        written.push(`<${name}${kept.map(([key, value]) => ` ${key}="${escapedHtml(value)}"`).join('')}>`);
      },
      onclosetag() {
        if (outside > 0) {
          outside -= 1;
          return;
        }
        const name = open.pop();
        if (name === 'style') endStyle();
        if (name !== undefined) written.push(`</${name}>`);
      },
      ontext(inner) {
        if (outside > 0) return;
        if (open.at(-1) === 'style') style += inner;
        else written.push(escapedHtml(inner));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(body);
  return hasHarm ? written.join('') : text;
}

const DEPTH_MAX = 1000;
const TOO_DEEP = `the elements of the drawing are nested more than ${DEPTH_MAX} deep`;
/** What a parser of XML makes more of than is written. */
const HIDDEN = /<!ENTITY|<!DOCTYPE|<\?(?!xml\s)|<!\[CDATA\[/i;

const ELEMENTS = new Set(
  `svg g defs symbol use title desc metadata switch a view marker pattern mask clipPath style
   path rect circle ellipse line polyline polygon text tspan textPath image
   linearGradient radialGradient stop filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix
   feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur
   feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`
    .trim()
    .split(/\s+/),
);

const EMBEDDED = /^data:image\/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]*$/i;

function isHarmless(tag: string, name: string, value: string): boolean {
  if (/^on/i.test(name) || !/^[A-Za-z_][\w:.-]*$/.test(name)) return false;
  const local = name.slice(name.indexOf(':') + 1).toLowerCase();
  if (local === 'base') return false;
  if (local === 'href' || local === 'src') {
    const address = value.trim();
    return (
      address.startsWith('#') || EMBEDDED.test(address) || (tag === 'a' && /^https?:\/\//i.test(address))
    );
  }
  return isHarmlessCss(value) && !/^\s*(?:javascript|vbscript|data):/i.test(value);
}

/** Addresses only of what is in the drawing itself. An escape can spell any word: there is none in drawings of drawing programs. */
function isHarmlessCss(text: string): boolean {
  const plain = withoutComments(text);
  if (/@import|expression\s*\(|-moz-binding|behavior\s*:/i.test(plain)) return false;
  if (plain.includes('\\')) return false;
  return [...plain.matchAll(/(?:url|image-set|image|src)\s*\(\s*["']?\s*([^)]*)/gi)].every(
    ([, inner = '']) => inner.startsWith('#') || EMBEDDED.test(inner.replace(/["']\s*$/, '')),
  );
}

function withoutComments(text: string): string {
  const left: string[] = [];
  let from = 0;
  for (;;) {
    const begin = text.indexOf('/*', from);
    const end = begin === -1 ? -1 : text.indexOf('*/', begin + 2);
    left.push(text.slice(from, begin === -1 ? undefined : begin));
    if (begin === -1 || end === -1) return left.join('');
    from = end + 2;
  }
}

/** What is left without the document type, its own entities put in: old drawing programs name their namespaces by them. */
function withoutDoctype(text: string): { readonly body: string; readonly isPlain: boolean } {
  const at = text.search(/<!DOCTYPE/i);
  if (at === -1) return { body: text, isPlain: true };
  const doctype = new RegExp(DOCTYPE, 'iy');
  doctype.lastIndex = at;
  const found = doctype.exec(text)?.[0];
  if (found === undefined) return { body: '', isPlain: false };
  const rest = text.slice(0, at) + text.slice(at + found.length);
  if (!found.includes('[')) return { body: rest, isPlain: true };
  const entities = new Map(
    [...found.matchAll(/<!ENTITY\s+([\w.-]+)\s+(?:"([^"<&%]{0,200})"|'([^'<&%]{0,200})')\s*>/g)].map(
      ([, name = '', first, second]) => [name, first ?? second ?? ''],
    ),
  );
  let left = ENTITY_USES_MAX;
  const body = rest.replaceAll(/&([\w.-]+);/g, (whole, name: string) => {
    const value = entities.get(name);
    left -= value === undefined ? 0 : 1;
    return value === undefined || left < 0 ? whole : escapedHtml(value);
  });
  return { body, isPlain: false };
}

const DOCTYPE = `<!DOCTYPE(?:[^>\\["']|"[^"]*"|'[^']*'|\\[(?:[^\\]"']|"[^"]*"|'[^']*')*\\])*>`;
const ENTITY_USES_MAX = 10_000;
