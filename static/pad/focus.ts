/** Puts the caret into the text when the editor is ready. */

export interface TextEditor {
  focus(): void;
}

/** Where the focus is if the person has gone nowhere else while the editor was loading. Links lead to the heading. */
const unused = 'body, h1, iframe';

/**
 * In the app, the caret goes into the text unless the person already uses something else there, also a button. Etherpad
 * 1.8 and 2.x take the focus in any case, and the next keys would get into the text; 3.x never takes it. Etherpad
 * has already scheduled its own call of `focus`, so `focus` does nothing until then.
 */
export function focusText(editor: TextEditor | undefined, done: () => void): void {
  const app = window.parent === window ? null : window.frameElement?.ownerDocument;
  if (!app || !editor) return;
  const { focus } = editor;
  editor.focus = () => {};
  setTimeout(() => {
    editor.focus = focus;
    if (app.activeElement?.matches(unused) && !app.querySelector('dialog[open], [role="dialog"]'))
      editor.focus();
    done();
  });
}
