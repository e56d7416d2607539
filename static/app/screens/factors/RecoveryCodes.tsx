import { ShownOnce } from '../../components/ShownOnce';
import { useTranslation } from '../../texts/i18n';
import styles from './Factors.module.css';

/** Shows recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ShownOnce
      title={t('factors.recovery')}
      text={t('factors.recovery.text')}
      label={t('factors.recovery')}
      value={codes.join(' ')}
      copy={t('factors.recovery.copy')}
      compact
      onClose={onClose}
    >
      <ol className={styles.codes} dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
    </ShownOnce>
  );
}
