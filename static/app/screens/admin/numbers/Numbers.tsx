import { Page } from '../../../components/Page';
import { ErrorState, Skeleton, SkeletonGroup } from '../../../components/States';
import { useTranslation } from '../../../i18n';
import { Link, placeWith } from '../../../location';
import { adminPlaces } from '../adminPlaces';
import { type Numbers as All, useNumbers } from '../calls';
import styles from './Numbers.module.css';
import { OverTime } from './OverTime';

/** How many accounts, folders and pads there are. Each number leads to its list. */
export function Numbers() {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useNumbers();
  return (
    <Page title={t('admin.numbers.title')}>
      {data !== undefined && (
        <>
          <Tiles numbers={data} />
          <OverTime />
        </>
      )}
      {data === undefined && error !== null && (
        <ErrorState
          title={t('admin.numbers.failed')}
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && (
        <SkeletonGroup>
          <Skeleton height="88px" />
        </SkeletonGroup>
      )}
    </Page>
  );
}

function Tiles({ numbers }: { numbers: All }) {
  const { t, language } = useTranslation();
  const format = new Intl.NumberFormat(language);
  const tiles = [
    [t('admin.numbers.users'), numbers.users, adminPlaces.users],
    [t('admin.numbers.active'), numbers.active, placeWith(adminPlaces.users, { state: 'active' })],
    [t('admin.numbers.folders'), numbers.folders, adminPlaces.folders],
    [t('admin.numbers.pads'), numbers.pads, adminPlaces.pads],
  ] as const;
  return (
    <ul className={styles.tiles}>
      {tiles.map(([label, count, href]) => (
        <li key={label}>
          <Link href={href} className={styles.tile}>
            <span className={styles.label}>{label}</span>
            <span className={styles.number}>{format.format(count)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
