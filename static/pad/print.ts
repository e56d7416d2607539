/**
 * Prints the whole text of a pad. Of a frame, browsers print only what is visible in it. So a copy of the text gets
 * into the page that is printed: that of the app, or of the editor if it is open without the app.
 */

const rules = `
[data-printed] { display: none }
@media print {
  :is(html, body):has([data-printed]) { position: static; height: auto; overflow: visible; background: #fff }
  body:has(> [data-printed]) > :not([data-printed]) { display: none !important }
  [data-printed] { display: block; color: #000; font: 12pt/1.5 sans-serif; white-space: pre-wrap; overflow-wrap: anywhere }
  [data-printed] :is(ul, ol) { margin: 0; padding: 0 }
  [data-printed] ul { list-style: disc }
  [data-printed] ol { list-style: decimal }
}`;

/** Attributes that the copy keeps. The colours of authors are not printed. */
const kept = ['dir', 'lang', 'href', 'src', 'alt', 'width', 'height', 'start'];

/** Each list of Etherpad has one line, and a class such as `list-bullet2` for its kind and level. */
function indentLists(copy: HTMLElement): void {
  for (const list of copy.querySelectorAll<HTMLElement>('ul, ol')) {
    const [, kind, level] = /list-([a-z]+)(\d+)/.exec(list.className) ?? [];
    list.style.marginInlineStart = `${1.5 * Number(level ?? 1)}em`;
    if (kind === 'indent') list.style.listStyle = 'none';
  }
}

function copyOf(text: HTMLElement, page: Document): HTMLElement {
  const copy = page.createElement('div');
  for (const line of text.childNodes) copy.append(page.importNode(line, true));
  for (const element of copy.querySelectorAll('script, style, iframe, object, embed')) element.remove();
  for (const element of copy.querySelectorAll('[style]')) element.removeAttribute('style');
  indentLists(copy);
  for (const element of copy.querySelectorAll('*')) {
    for (const { name } of [...element.attributes])
      if (name !== 'style' && kept.indexOf(name) < 0) element.removeAttribute(name);
  }
  copy.setAttribute('data-printed', '');
  return copy;
}

/** `text`: the element that holds the lines of the pad; `undefined` if there is none at the moment. */
export function printWholeText(text: () => HTMLElement | undefined): void {
  const isInApp = Boolean(window.frameElement?.closest('#app'));
  const printed = (isInApp ? window.parent : window) as Window & typeof globalThis;
  const page = printed.document;
  const sheet = new printed.CSSStyleSheet();
  // The security policy of the app forbids `style` elements, but not this.
  sheet.replaceSync(rules);
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
  const remove = (): void => {
    for (const copy of page.querySelectorAll('[data-printed]')) copy.remove();
  };
  const add = (): void => {
    remove();
    const shown = text();
    if (shown) page.body.append(copyOf(shown, page));
  };
  printed.addEventListener('beforeprint', add);
  printed.addEventListener('afterprint', remove);
  // The editor is loaded again, or the app has removed its frame.
  window.addEventListener('pagehide', () => {
    printed.removeEventListener('beforeprint', add);
    printed.removeEventListener('afterprint', remove);
    remove();
    page.adoptedStyleSheets = page.adoptedStyleSheets.filter((one) => one !== sheet);
  });
}
