/**
 * VitePress calls its search a button with a listbox of links inside, and names the links otherwise than they read.
 * Screen readers and voice control cannot use that. Here it becomes a dialog with a list of links.
 */
const wrong: Readonly<Record<string, readonly string[]>> = {
  '': ['aria-expanded', 'aria-haspopup', 'aria-owns'],
  '.search-input': ['aria-activedescendant', 'aria-autocomplete', 'aria-controls'],
  '.results, .results > li': ['role', 'aria-selected'],
  '.result': ['aria-label'],
};

/** Sets only what differs: each change calls the observer again. */
function set(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function mend(box: Element): void {
  for (const [selector, names] of Object.entries(wrong)) {
    const elements = selector === '' ? [box] : box.querySelectorAll(selector);
    for (const element of elements) for (const name of names) element.removeAttribute(name);
  }
  set(box, 'role', 'dialog');
  set(box, 'aria-modal', 'true');
  // A name is only allowed with a role.
  for (const key of box.querySelectorAll('kbd[aria-label]')) set(key, 'role', 'img');
  for (const sign of box.querySelectorAll('.title-icon')) set(sign, 'aria-hidden', 'true');
}

/** Mends the search each time VitePress opens or changes it. */
export function mendSearchBox(): void {
  const observer = new MutationObserver(() => {
    const box = document.querySelector('.VPLocalSearchBox');
    if (box !== null) mend(box);
  });
  const attributeFilter = [...Object.values(wrong).flat(), 'aria-hidden'];
  observer.observe(document, { subtree: true, childList: true, attributeFilter });
}
