import type { AdminPad } from '../../../../../api/admin/schema';
import { Chip, VisibilityChip } from '../../../components/Chip';
import { ArchiveIcon, PadIcon, ReadonlyIcon } from '../../../components/icons';
import { Page } from '../../../components/Page';
import { RelativeTime } from '../../../components/RelativeTime';
import { Row } from '../../../components/Rows';
import { EmptyState } from '../../../components/States';
import { useTranslation } from '../../../i18n';
import { useQueryParams } from '../../../location';
import { places } from '../../../places';
import { LastEditor } from '../../people/LastEditor';
import { adminPlaces } from '../adminPlaces';
import { useAdminPads } from '../calls';
import { AdminList, usePageQuery } from './AdminList';
import styles from './lists.module.css';
import { PlaceFilters, usePlaceFilters } from './PlaceFilters';

/** All pads of the server, or those of one folder. */
export function AllPads() {
  const { t } = useTranslation();
  const [parameters, set] = useQueryParams();
  const group = parameters.get('group') ?? undefined;
  const { query, filtered, clear } = usePlaceFilters();
  const answer = useAdminPads({ ...query, group, ...usePageQuery() });
  const folder =
    group === undefined ? undefined : (answer.data?.pads[0]?.groupName ?? parameters.get('name'));
  return (
    <Page
      title={folder ? t('admin.pads.of', { name: folder }) : t('admin.pads.title')}
      intro={t('admin.pads.intro')}
      breadcrumb={group === undefined ? [] : [{ label: t('admin.folders.title'), href: adminPlaces.folders }]}
    >
      <PlaceFilters
        label={t('admin.pads.search')}
        count={answer.data && t('admin.pads.count', { count: answer.data.count })}
      />
      <AdminList
        place={adminPlaces.pads}
        label={t('admin.pads.title')}
        failed={t('admin.pads.failed')}
        query={answer}
        rows={answer.data?.pads.map((pad) => <PadLine key={pad._id} pad={pad} />)}
        count={answer.data?.count ?? 0}
        filtered={filtered}
        onClear={() => set(clear)}
        empty={<EmptyState icon={<PadIcon />} title={t('admin.pads.empty')} />}
      />
    </Page>
  );
}

function PadLine({ pad }: { pad: AdminPad }) {
  const { t } = useTranslation();
  return (
    <Row
      href={places.pad(pad.group, pad._id)}
      name={pad.name}
      quiet={pad.archived}
      chips={
        <>
          {pad.archived && <Chip icon={<ArchiveIcon />}>{t('admin.folders.archived')}</Chip>}
          {pad.readonly && <Chip icon={<ReadonlyIcon />}>{t('folders.readonly')}</Chip>}
        </>
      }
      cells={[
        {
          key: 'folder',
          width: '12rem',
          content: (
            <span className={styles.cut} title={pad.groupName}>
              {t('bookmarks.in', { name: pad.groupName })}
            </span>
          ),
        },
        { key: 'visibility', width: '8.25rem', content: <VisibilityChip visibility={pad.visibility} /> },
        {
          key: 'editor',
          width: '9rem',
          wideOnly: true,
          content: <LastEditor editor={pad.lastEditor} />,
        },
        {
          key: 'time',
          width: '8.25rem',
          content: <RelativeTime time={pad.lastUpdate} never={t('admin.pads.never')} />,
        },
      ]}
    />
  );
}
