import { Button } from '../../components/Button';
import { CopyField } from '../../components/CopyField';
import { Dialog } from '../../components/Dialog';
import { useTranslation } from '../../texts/i18n';
import styles from './Factors.module.css';

/** Shows recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('factors.recovery')}
      size="medium"
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <div className={styles.parts}>
        <p>{t('factors.recovery.text')}</p>
        <ol className={styles.codes} dir="ltr">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <CopyField
          label={t('factors.recovery')}
          value={codes.join(' ')}
          copy={t('factors.recovery.copy')}
          compact
          focused
        />
      </div>
    </Dialog>
  );
}
