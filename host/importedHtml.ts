/**
 * Measures an imported HTML file before Etherpad gets it. Etherpad turns all of it into a text without yielding, which
 * takes about 0.1 ms for each element, and longer the deeper the element is and the more attributes it has. For each
 * comment, it looks at all comments that follow.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { importLimits } from '../model/limits';
import { isWithinPadLimits } from './bounds';

/** Characters that are measured before other work gets a turn. */
const batchSize = 16_384;

/** Are elements, comments and attributes within `importLimits`? */
export async function isSmallHtml(html: string): Promise<boolean> {
  if (!isWithinPadLimits(html)) return false;
  let elements = 0;
  let comments = 0;
  let hasMath = false;
  let depth = 0;
  let attributes = 0;
  let sumOfDepths = 0;
  let isSmall = true;
  const add = (count: number): void => {
    elements += count;
    depth += count;
    sumOfDepths += count * depth;
    isSmall &&= elements <= importLimits.htmlElements && sumOfDepths <= importLimits.htmlSumOfDepths;
  };
  // Etherpad's parser reads elements where this one reads a comment or a text: after `<![CDATA[>`, and in MathML.
  const addHidden = (text: string): void => add(text.split('<').length - 1);
  const parser = new Parser({
    onopentagname(name) {
      add(1);
      attributes = 0;
      hasMath ||= name === 'annotation-xml';
    },
    ontext(text) {
      if (hasMath) addHidden(text);
    },
    oncomment(text) {
      comments += 1;
      isSmall &&= comments <= importLimits.htmlComments;
      if (text.startsWith('[CDATA[')) addHidden(text);
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
  // A comment that nothing closes is reported at the end.
  if (isSmall) parser.end();
  return isSmall;
}
