import { useConnectionLost } from '../data/connection';
import { useTranslation } from '../i18n';
import styles from './App.module.css';

/** Says that the server does not answer, for as long as it does not. */
export function ConnectionBar() {
  const { t } = useTranslation();
  const lost = useConnectionLost();
  return (
    <div role="status" className={styles.connection}>
      {lost && <p>{t('connection.lost')}</p>}
    </div>
  );
}
