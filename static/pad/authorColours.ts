/**
 * Makes text on the colours of authors readable. Etherpad before 3.x compares a simple brightness: on many colours that
 * people choose, such as a strong green, it writes white text that nobody can read.
 */

export interface AuthorStyle {
  dynamicCSS: StyleSheetManager;
  parentDynamicCSS: StyleSheetManager;
  /** Missing when the author's style is to be removed. */
  info?: { bgcolor?: string; fade?: number };
  authorSelector: string;
}

interface StyleSheetManager {
  selectorStyle(selector: string): CSSStyleDeclaration;
}

/** Red, green and blue from 0 to 1. `undefined` if it is not a hexadecimal colour. */
function channelsOf(colour: string): number[] | undefined {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1];
  if (digits === undefined) return undefined;
  const size = digits.length / 3;
  return [0, 1, 2].map((index) => {
    const part = digits.slice(index * size, (index + 1) * size);
    return Number.parseInt(size === 1 ? part + part : part, 16) / 255;
  });
}

/** The relative luminance of WCAG 2. */
function luminanceOf(channels: number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const dark = '#000000';
const light = '#ffffff';

/** Where black and white text have the same contrast: (L + 0.05)² = 1.05 × 0.05. */
const balance = Math.sqrt(1.05 * 0.05) - 0.05;

/** Returns true if it has set the style, so that Etherpad does not. */
export function setAuthorStyle({ dynamicCSS, parentDynamicCSS, info, authorSelector }: AuthorStyle): boolean {
  const channels = channelsOf(info?.bgcolor ?? '');
  if (channels === undefined) return false;
  // Etherpad fades the colours of people who have left towards white.
  const fade = info?.fade ?? 0;
  const shown = channels.map((value) => value + (1 - value) * fade);
  for (const styles of [dynamicCSS, parentDynamicCSS]) {
    const style = styles.selectorStyle(authorSelector);
    style.backgroundColor = `rgb(${shown.map((value) => Math.round(value * 255)).join(', ')})`;
    style.color = luminanceOf(shown) > balance ? dark : light;
    style.paddingTop = '3px';
    style.paddingBottom = '4px';
  }
  return true;
}
