import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { limits } from '../../../model/limits';
import { useLatest } from '../lib/useLatest';
import { useTranslation } from '../texts/i18n';
import { classNames } from './classNames';
import inputStyles from './Input.module.css';
import styles from './RenameField.module.css';
import { LengthCount } from './TextInput';
import { toasts, useErrorToast } from './Toasts';

/**
 * Returns a ref for the button or link in whose place the field is. It gets the focus back when the field goes, unless
 * the focus is somewhere else by then.
 */
export function useFocusAfterRename<T extends HTMLElement>(renaming: boolean): RefObject<T | null> {
  const element = useRef<T>(null);
  const wasRenaming = useRef(renaming);
  useEffect(() => {
    if (wasRenaming.current && !renaming && document.activeElement === document.body)
      element.current?.focus();
    wasRenaming.current = renaming;
  }, [renaming]);
  return element;
}

export interface RenameFieldProps {
  /** The current name. */
  name: string;
  /** Stores a changed name. If it throws, the field stays, and the error is shown. */
  onSave: (name: string) => Promise<unknown>;
  /** Called when the field must be replaced by the name. */
  onClose: () => void;
}

/**
 * A field in the place of a name. Enter or leaving the field saves, which a message offers to undo; Escape keeps the
 * old name.
 */
export function RenameField({ name, onSave, onClose }: RenameFieldProps) {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const [text, setText] = useState(name);
  const [saving, setSaving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const settled = useRef(false);
  // Before the next key: a late selection would replace what is typed first.
  useLayoutEffect(() => field.current?.select(), []);

  const close = (): void => {
    settled.current = true;
    onClose();
  };
  const undo = (): void => {
    onSave(name).catch(showError);
  };
  const save = async (): Promise<void> => {
    if (settled.current) return;
    const next = text.trim();
    if (next === '' || next === name) return close();
    settled.current = true;
    setSaving(true);
    try {
      await onSave(next);
      onClose();
      toasts.success(t('rename.done', { name: next }), { action: { label: t('action.undo'), run: undo } });
    } catch (error) {
      settled.current = false;
      setSaving(false);
      showError(error);
      // Only if the person does nothing else by now. The field stays with what was typed.
      if (document.activeElement === document.body) field.current?.focus();
    }
  };
  // Back leaves the screen, and no event says that the field is left.
  const latest = useLatest(save);
  useEffect(() => () => void latest.current(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // The name gets the focus during the event: without this, Enter would press it, and the field would open again.
    event.preventDefault();
    if (event.key === 'Enter') return void save();
    // Does not also close a full-window view or a dialog around the field.
    event.stopPropagation();
    close();
  };
  return (
    <span className={styles.box}>
      <input
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: the person has asked to type here
        autoFocus
        aria-label={t('rename.label', { name })}
        value={text}
        // What is typed meanwhile would be lost.
        readOnly={saving}
        maxLength={limits.name}
        autoComplete="off"
        spellCheck={false}
        className={classNames(inputStyles.input, styles.field)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        // The field keeps the focus of its page while the person is in another window.
        onBlur={({ target }) => target !== document.activeElement && void save()}
      />
      <LengthCount length={text.length} most={limits.name} />
    </span>
  );
}
