import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '../i18n';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { CheckIcon, CopyIcon } from './icons';
import styles from './Share.module.css';

/** A text to copy, with a button that does it and says so. Where the browser does not let us, the text is selected instead. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 4000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      setCopied(document.execCommand('copy'));
    }
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.line}>
        <input
          id={id}
          ref={input}
          readOnly
          value={value}
          className={styles.input}
          onFocus={(event) => event.target.select()}
        />
        <Button kind="primary" icon={copied ? <CheckIcon /> : <CopyIcon />} onClick={copy}>
          {copied ? t('share.copied') : t('share.copy')}
        </Button>
      </div>
      <span role="status" className="visually-hidden">
        {copied && t('share.copied')}
      </span>
    </div>
  );
}

export interface ShareDialogProps {
  /** Names the thing: "Share “Board”". */
  title: string;
  /** The full address; `toUrl(place)`. */
  url: string;
  /** Who gets in with this link. */
  children: ReactNode;
  onClose: () => void;
}

/** The link to a folder or pad, to copy, and who gets in with it. */
export function ShareDialog({ title, url, children, onClose }: ShareDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={title} onClose={onClose} size="medium">
      <p className={styles.who}>{children}</p>
      <CopyField label={t('share.link')} value={url} />
    </Dialog>
  );
}
