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

/** Selects the first place where the text says `wanted`, and scrolls there. Does nothing if it says so nowhere. */
export function showInEditor(frame: HTMLIFrameElement, wanted: string): void {
  const text = textOf(frame);
  const looked = wanted.toLocaleLowerCase();
  for (const line of text?.body.children ?? []) {
    const at = (line.textContent ?? '').toLocaleLowerCase().indexOf(looked);
    if (at < 0) continue;
    const [begin, end] = [placeIn(line, at), placeIn(line, at + wanted.length)];
    if (begin && end) text?.getSelection()?.setBaseAndExtent(...begin, ...end);
    line.scrollIntoView({ block: 'center' });
    return;
  }
}
