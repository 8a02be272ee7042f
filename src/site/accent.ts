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

/** Links are read in the accent, so it must stand out from what lies behind them (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.9;
const PAPER = { light: '#f6f7f9', dark: '#23262d' } as const;

/** The style sheet's first lines: the colour, darkened or lightened until it can be read on the light and the dark page. */
export function accentStyle(accent: string): string {
  const light = readable(accent, PAPER.light, -2);
  const dark = readable(accent, PAPER.dark, 2);
  return `:root { --accent-light: ${light}; --accent-dark: ${dark}; }\n`;
}

/** The hue and its strength stay, the lightness moves in steps of 2 %. */
function readable(colour: string, paper: string, step: 2 | -2): string {
  const { hue, saturation, lightness } = hslOf(colour);
  for (let light = lightness; light >= 0 && light <= 100; light += step) {
    const shade = light === lightness ? colour : rgbOf({ hue, saturation, lightness: light });
    if (contrast(shade, paper) >= CONTRAST_MIN) return shade;
  }
  return step > 0 ? '#ffffff' : '#000000';
}

interface Hsl {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

function hslOf(colour: string): Hsl {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => value / 255);
  const high = Math.max(red, green, blue);
  const span = high - Math.min(red, green, blue);
  const lightness = high - span / 2;
  if (span === 0) return { hue: 0, saturation: 0, lightness: lightness * 100 };
  const saturation = span / (1 - Math.abs(2 * lightness - 1));
  const sixth =
    high === red
      ? (green - blue) / span
      : high === green
        ? (blue - red) / span + 2
        : (red - green) / span + 4;
  return { hue: (sixth * 60 + 360) % 360, saturation: saturation * 100, lightness: lightness * 100 };
}

/** CSS Color 4, 7.1. */
function rgbOf({ hue, saturation, lightness }: Hsl): string {
  const [s, l] = [saturation / 100, lightness / 100];
  const channel = (n: number): string => {
    const k = (n + hue / 30) % 12;
    const value = l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
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
