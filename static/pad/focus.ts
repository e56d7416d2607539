/** Puts the caret into the text when the editor is ready. */

export interface TextEditor {
  focus(): void;
}

/** What people type or choose in. They may have begun while the editor was loading. */
const inUse = 'dialog, [role="menu"], input, textarea, select';

/**
 * In the app, the caret goes into the text unless the person already uses something else there. Etherpad 1.8 and 2.x
 * take the focus in any case, and what the person goes on typing would get into the text; 3.x never takes it. Etherpad
 * has already scheduled its own call of `focus`, so `focus` does nothing until then.
 */
export function focusText(editor: TextEditor | undefined, done: () => void): void {
  const app = window.parent === window ? null : window.frameElement?.ownerDocument;
  if (!app || !editor) return;
  const { focus } = editor;
  editor.focus = () => {};
  setTimeout(() => {
    editor.focus = focus;
    if (!app.activeElement?.closest(inUse) && !app.querySelector('dialog[open], [role="dialog"]'))
      editor.focus();
    done();
  });
}
