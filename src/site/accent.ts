/** A colour as `#rrggbb`, or undefined when the text is not one of `#rgb`, `#rrggbb`. */
export function hexColour(text: string): string | undefined {
  const short = /^#?([\da-f])([\da-f])([\da-f])$/i.exec(text);
  if (short !== null)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`.toLowerCase();
  const long = /^#?([\da-f]{6})$/i.exec(text)?.[1];
  return long === undefined ? undefined : `#${long.toLowerCase()}`;
}

/** Links are read in the accent, so that it must stand out from what lies behind them (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.9;
const PAPER = { light: '#f6f7f9', dark: '#23262d' } as const;

/** The style sheet's first lines: the colour, darkened or lightened until it can be read on the light and the dark page. */
export function accentStyle(accent: string): string {
  const light = readable(accent, PAPER.light, '#000000');
  const dark = readable(accent, PAPER.dark, '#ffffff');
  return `:root { --accent-light: ${light}; --accent-dark: ${dark}; }\n`;
}

function readable(colour: string, paper: string, towards: string): string {
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = mix(colour, towards, share);
    if (contrast(mixed, paper) >= CONTRAST_MIN) return mixed;
  }
  return towards;
}

function mix(a: string, b: string, share: number): string {
  const to = channels(b);
  const mixed = channels(a).map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG's contrast ratio, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
