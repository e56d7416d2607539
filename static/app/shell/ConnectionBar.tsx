import { useConnectionLost } from '../data/connection';
import { useTranslation } from '../texts/i18n';
import styles from './App.module.css';

/** A message that is visible as long as the server does not answer. */
export function ConnectionBar() {
  const { t } = useTranslation();
  const lost = useConnectionLost();
  return (
    <div role="status" className={styles.connection}>
      {lost && <p>{t('connection.lost')}</p>}
    </div>
  );
}
