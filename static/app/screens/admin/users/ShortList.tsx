import { useTranslation } from '../../../texts/i18n';
import styles from './users.module.css';

/** Names that are listed before "and 3 more". */
const namesShown = 6;

/** The first folders, and how many there are more. */
export function ShortList({ folders }: { folders: readonly { _id: string; text: string }[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.names}>
      {folders.slice(0, namesShown).map(({ _id, text }) => (
        <li key={_id}>{text}</li>
      ))}
      {folders.length > namesShown && (
        <li>{t('remove.pads.more', { count: folders.length - namesShown })}</li>
      )}
    </ul>
  );
}
