import { useTranslation } from '../../../texts/i18n';
import styles from './users.module.css';

/** Names that are listed before "and 3 more". */
const namesShown = 6;

/** Names of folders, and how many there are more. */
export function ShortList({ names }: { names: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.names}>
      {names.slice(0, namesShown).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two folders may have the same name, and the list is not changed.
        <li key={index}>{name}</li>
      ))}
      {names.length > namesShown && <li>{t('remove.pads.more', { count: names.length - namesShown })}</li>}
    </ul>
  );
}
