import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '../texts/i18n';
import { Button } from './Button';
import styles from './CopyField.module.css';
import { CheckIcon } from './icons';
import { CopyIcon } from './screenIcons';

export interface CopyFieldProps {
  label: string;
  /** The text to copy. */
  value: string;
  /** Explains the text, below it. */
  help?: string;
  /** Label of the button. Default: “Copy link”. */
  copy?: string;
  /** Label of the button if it also submits the form around this field. */
  submit?: string;
  /** Called when the button is pressed. */
  onCopy?: () => void;
  /** Called when the text was copied. */
  onCopied?: () => void;
  /** The text was copied just before this was rendered. */
  copiedBefore?: boolean;
  /** The button takes the focus. */
  focused?: boolean;
  /** Only the button is shown, until the browser forbids copying. */
  compact?: boolean;
  /** The id of a text elsewhere that explains the button. */
  describedBy?: string;
}

/** A text with a button that copies it. If the browser forbids copying, the text is shown and selected instead. */
export function CopyField(props: CopyFieldProps) {
  const {
    label,
    value,
    help,
    submit,
    onCopy,
    onCopied,
    copiedBefore = false,
    focused = copiedBefore,
  } = props;
  const { compact = false, describedBy } = props;
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [copied, setCopied] = useState(copiedBefore);
  const [hidden, setHidden] = useState(compact);
  useEffect(() => {
    if (focused) button.current?.focus();
  }, [focused]);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 4000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    onCopy?.();
    if (submit !== undefined) button.current?.form?.requestSubmit();
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      onCopied?.();
    } catch {
      input.current?.select();
      const done = document.execCommand('copy');
      setCopied(done);
      // The field has the focus now, and is perhaps invisible.
      if (done) button.current?.focus();
      else setHidden(false);
    }
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} hidden={hidden} className={styles.label}>
        {label}
      </label>
      <div className="wrapping">
        <input
          id={id}
          ref={input}
          readOnly
          dir="ltr"
          value={value}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
          aria-hidden={hidden}
          tabIndex={hidden ? -1 : undefined}
          className={hidden ? 'visually-hidden' : styles.input}
          onFocus={(event) => event.target.select()}
        />
        <Button
          ref={button}
          icon={copied ? <CheckIcon /> : <CopyIcon />}
          aria-describedby={describedBy}
          onClick={() => void copy()}
        >
          {copied ? t('share.copied') : (submit ?? props.copy ?? t('share.copy'))}
        </Button>
      </div>
      {help !== undefined && (
        <p id={`${id}-help`} className="muted">
          {help}
        </p>
      )}
      <span role="status" className="visually-hidden">
        {copied && t('share.copied')}
      </span>
    </div>
  );
}
