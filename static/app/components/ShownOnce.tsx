import { type ReactNode, useEffect, useState } from 'react';
import { guardLeaving } from '../navigation/location';
import { useTranslation } from '../texts/i18n';
import { Button } from './Button';
import { ConfirmDialog } from './ConfirmDialog';
import { CopyField, type CopyFieldProps } from './CopyField';
import { Dialog } from './Dialog';
import styles from './ShownOnce.module.css';

export interface ShownOnceProps extends Pick<CopyFieldProps, 'label' | 'value' | 'copy' | 'compact'> {
  title: string;
  /** Says that it will not be shown again. */
  text: string;
  /** Shown before the button that copies. */
  children?: ReactNode;
  onClose: () => void;
}

/** A dialog with a secret that cannot be shown again. It asks before it closes, until the secret was copied. */
export function ShownOnce({ title, text, children, onClose, ...field }: ShownOnceProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const [asked, setAsked] = useState(false);
  useEffect(() => (copied ? undefined : guardLeaving(() => true)), [copied]);
  const close = (): void => (copied ? onClose() : setAsked(true));
  return (
    <Dialog
      title={title}
      size="medium"
      onClose={close}
      actions={<Button onClick={close}>{t('action.close')}</Button>}
    >
      <div className={styles.parts} onCopy={() => setCopied(true)}>
        <p>{text}</p>
        {children}
        <CopyField {...field} onCopied={() => setCopied(true)} focused />
      </div>
      {asked && (
        <ConfirmDialog
          title={t('copy.leave')}
          action={t('action.close')}
          onConfirm={onClose}
          onClose={() => setAsked(false)}
        >
          <p>{text}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}
