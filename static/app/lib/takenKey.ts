/** Whether a key belongs to an open dialog or menu, or to the focused field. Checkboxes take no key but Space. */
export function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : document.body;
  return (
    target.closest(
      'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="menu"], [role="radiogroup"]',
    ) !== null || document.querySelector('dialog[open], :popover-open') !== null
  );
}
