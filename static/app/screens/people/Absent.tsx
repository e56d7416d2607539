import { WarningIcon } from '../../components/icons';
import { useTranslation } from '../../texts/i18n';
import styles from './People.module.css';

/** Says that some entries of a saved list have no account, and what to do. */
export function Absent({ count }: { count: number }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={styles.absent}>
      <WarningIcon />
      <div>
        <p className={styles.absentTitle}>{t('peopleForm.absent.title', { count })}</p>
        <p>{t('peopleForm.absent.text')}</p>
      </div>
    </div>
  );
}
