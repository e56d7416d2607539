import { useEffect, useState } from 'react';
import { TimeIcon } from '../../components/icons';
import { useTranslation } from '../../texts/i18n';
import styles from './Card.module.css';

/** Milliseconds after which a hint says that the server is still starting. */
const hintDelay = 600;

/** Says that the server is still starting, if that takes longer than a moment. */
export function Starting({ ready }: { ready: boolean }) {
  const { t } = useTranslation();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (ready) return;
    const timer = setTimeout(() => setLate(true), hintDelay);
    return () => clearTimeout(timer);
  }, [ready]);
  return (
    <div role="status" className={styles.notice}>
      {!ready && late && (
        <>
          <TimeIcon />
          {t('login.starting')}
        </>
      )}
    </div>
  );
}
