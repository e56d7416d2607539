/** Shows a place in the text of the editor. */

/** The document with the text: Etherpad has it in two frames. */
function textOf(frame: HTMLIFrameElement): Document | null | undefined {
  const inside = (document: Document | null | undefined, name: string) =>
    document?.querySelector<HTMLIFrameElement>(`iframe[name="${name}"]`)?.contentDocument;
  return inside(inside(frame.contentDocument, 'ace_outer'), 'ace_inner');
}

/** The place of a character of a line: it consists of several pieces of text, by author and format. */
function placeIn(line: Node, at: number): [node: Node, offset: number] | undefined {
  const walker = (line.ownerDocument ?? document).createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let left = at;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { length } = node.textContent ?? '';
    if (left <= length) return [node, left];
    left -= length;
  }
  return undefined;
}

/** Marks a place until the next key or press. It is not selected, because a key would replace it for everybody. */
function mark(text: Document, range: Range): void {
  const view = text.defaultView;
  // Not in Firefox before 140.
  if (!view?.CSS.highlights) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync('::highlight(mypads) { background: Mark; color: MarkText; }');
  text.adoptedStyleSheets.push(sheet);
  const { highlights } = view.CSS;
  highlights.set('mypads', new view.Highlight(range));
  for (const type of ['keydown', 'pointerdown'])
    text.addEventListener(type, () => highlights.delete('mypads'), { once: true });
}

/** Signs that the search leaves out: vowels of Arabic and Hebrew, and where a word may be broken. */
const leftOut = String.raw`[\u00ad\u0640\p{M}]*`;

const lookFor = (wanted: string): RegExp =>
  new RegExp([...wanted].map((letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`).join(leftOut), 'iu');

/**
 * Puts the caret before the first place where the text says `wanted`, and scrolls there. Does nothing if it says so
 * nowhere.
 */
export function showInEditor(frame: HTMLIFrameElement, wanted: string): void {
  const text = textOf(frame);
  // The search knows texts in composed form; some systems write accents as characters of their own.
  const forms = ['NFC', 'NFD'].map((form) => lookFor(wanted.normalize(form)));
  for (const line of text?.body.children ?? []) {
    const said = line.textContent ?? '';
    const found = forms[0]?.exec(said) ?? forms[1]?.exec(said);
    if (!found) continue;
    const [begin, end] = [placeIn(line, found.index), placeIn(line, found.index + found[0].length)];
    if (text && begin && end) {
      text.getSelection()?.setPosition(...begin);
      const range = text.createRange();
      range.setStart(...begin);
      range.setEnd(...end);
      mark(text, range);
    }
    line.scrollIntoView({ block: 'center' });
    return;
  }
}
