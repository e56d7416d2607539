import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const folder = join(__dirname, '..', '..', 'static', 'app');
const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.css'),
);

const sides = /\b(left|right)\b/;

/** Whether a declaration names the left or the right side instead of the start or the end of the line. */
function isPhysical(property: string, value: string): boolean {
  if (sides.test(property)) return true;
  if (/^(text-align|float|clear)$/.test(property)) return sides.test(value);
  // The second of four values is the right side, the fourth the left one.
  const lengths = value.replace(/\([^()]*\)/g, '()').split(/\s+/);
  const isBox = /^(margin|padding|inset|border-(width|style|color|radius))$/.test(property);
  return isBox && lengths.length === 4 && lengths[1] !== lengths[3];
}

/** The physical declarations without a comment `physical: …` in the line above, which gives the reason. */
function physicalDeclarations(css: string): string[] {
  const lines = css.split('\n');
  return lines.filter((line, index) => {
    const [, property = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^;{]+);/.exec(line) ?? [];
    return isPhysical(property, value) && !lines[index - 1]?.includes('/* physical: ');
  });
}

/** Animations whose duration is not `--motion`, which is almost zero for people who want less motion. */
function movements(css: string): string[] {
  const found = css.match(/\b(animation|transition):[^;]*;/g) ?? [];
  return found.filter((one) => !one.includes('var(--motion)') && !/:\s*none/.test(one));
}

/**
 * Selectors that make the browser compute the styles of the whole page again when an element appears or disappears
 * anywhere: those for any element whose place among its neighbours matters.
 */
function slowSelectors(css: string): string[] {
  const selectors = [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};@]+){/g)].flatMap(
    ([, list = '']) =>
      list
        .replace(/\([^()]*\)/g, '')
        .split(',')
        .map((one) => one.trim()),
  );
  return selectors.filter((one) => /\*\s*[+~]\s*\*$|(^|[\s>+~]):(first|last|only|nth|not)[^\s.]*$/.test(one));
}

describe('the style sheets', () => {
  it('do not slow down every change of a list', () => {
    const found = sheets.flatMap((sheet) =>
      slowSelectors(readFileSync(join(folder, sheet), 'utf8')).map((selector) => `${sheet}: ${selector}`),
    );
    expect(found).to.deep.equal([]);
    for (const slow of ['.list > * + *', '.a > :first-child', '.b:has(.c) > :not(:first-child)'])
      expect(slowSelectors(`${slow} { color: red; }`), slow).to.have.length(1);
    for (const fast of ['.list li + li', '.a:first-child', '.b + .c', '.barText ~ *'])
      expect(slowSelectors(`${fast} { color: red; }`), fast).to.have.length(0);
  });

  it('have no motion for people who want none', () => {
    const wrong = sheets.filter((sheet) => {
      const css = readFileSync(join(folder, sheet), 'utf8');
      return movements(css).length > 0 && !css.includes('@media (prefers-reduced-motion: reduce)');
    });
    expect(wrong).to.deep.equal([]);
    expect(movements('a { animation: turn 1s; transition: color var(--motion); }')).to.have.length(1);
  });

  it('choose a layout by the size of letters too: conditions are in rem', () => {
    const inPixels = sheets.filter((sheet) =>
      /@(media|container)[^{]*\dpx/.test(readFileSync(join(folder, sheet), 'utf8')),
    );
    expect(inPixels).to.deep.equal([]);
  });

  it('follow the direction of the language', () => {
    const found = sheets.flatMap((sheet) =>
      physicalDeclarations(readFileSync(join(folder, sheet), 'utf8')).map((line) => `${sheet}:${line}`),
    );
    expect(found).to.deep.equal([]);
  });

  it('are checked by a rule that finds every property with a side', () => {
    const wrong = [
      'left: 0;',
      'margin-right: 1px;',
      'border-top-left-radius: 2px;',
      'text-align: right;',
      'float: left;',
      'padding: 0 var(--a, 1px) 0 2px;',
    ];
    const right = ['inset-inline: 0;', 'text-align: start;', 'margin: 0 1px 0 1px;', 'padding: 1px 2px 3px;'];
    for (const line of wrong) expect(physicalDeclarations(line), line).to.deep.equal([line]);
    for (const line of right) expect(physicalDeclarations(line), line).to.deep.equal([]);
    expect(physicalDeclarations('/* physical: a check mark */\nleft: 0;')).to.deep.equal([]);
  });
});
