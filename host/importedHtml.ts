/**
 * Measures an imported HTML file before Etherpad gets it. Etherpad turns all of it into a text without yielding, which
 * takes about 0.1 ms for each element, and longer the deeper the element is and the more attributes it has.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { importLimits } from '../model/limits';
import { isWithinPadLimits } from './bounds';

/** Characters that are measured before other work gets a turn. */
const batchSize = 16_384;

/** Are elements and attributes within `importLimits`? */
export async function isSmallHtml(html: string): Promise<boolean> {
  if (!isWithinPadLimits(html)) return false;
  let elements = 0;
  let depth = 0;
  let attributes = 0;
  let sumOfDepths = 0;
  let isSmall = true;
  const parser = new Parser({
    onopentagname() {
      elements += 1;
      depth += 1;
      sumOfDepths += depth;
      attributes = 0;
      isSmall &&= elements <= importLimits.htmlElements && sumOfDepths <= importLimits.htmlSumOfDepths;
    },
    onattribute() {
      attributes += 1;
      isSmall &&= attributes <= importLimits.htmlAttributes;
    },
    onclosetag() {
      depth -= 1;
    },
  });
  for (let start = 0; isSmall && start < html.length; start += batchSize) {
    parser.write(html.slice(start, start + batchSize));
    await nextTurn();
  }
  return isSmall;
}
