import type { AdminGroup } from '../../../../../api/admin/schema';
import { limits } from '../../../../../model/limits';
import { AvatarStack } from '../../../components/Avatar';
import { Chip, VisibilityChip } from '../../../components/Chip';
import { ArchiveIcon, FolderIcon, ReadonlyIcon } from '../../../components/icons';
import { Page } from '../../../components/Page';
import { RelativeTime } from '../../../components/RelativeTime';
import { Row } from '../../../components/Rows';
import { EmptyState } from '../../../components/States';
import { useTranslation } from '../../../i18n';
import { placeWith, useQueryParams } from '../../../location';
import { adminPlaces } from '../adminPlaces';
import { useAdminGroups } from '../calls';
import { AdminList, usePageQuery } from './AdminList';
import { PlaceFilters, usePlaceFilters } from './PlaceFilters';

/** All folders of the server. */
export function AllFolders() {
  const { t } = useTranslation();
  const [, set] = useQueryParams();
  const { query, filtered, clear } = usePlaceFilters();
  const answer = useAdminGroups({ ...query, ...usePageQuery() });
  return (
    <Page title={t('admin.folders.title')} intro={t('admin.folders.intro')}>
      <PlaceFilters
        label={t('admin.folders.search')}
        count={answer.data && t('admin.folders.count', { count: answer.data.count })}
      />
      <AdminList
        place={adminPlaces.folders}
        label={t('admin.folders.title')}
        failed={t('admin.folders.failed')}
        query={answer}
        rows={answer.data?.groups.map((group) => <FolderLine key={group._id} group={group} />)}
        count={answer.data?.count ?? 0}
        filtered={filtered}
        onClear={() => set(clear)}
        empty={<EmptyState icon={<FolderIcon />} title={t('admin.folders.empty')} />}
      />
    </Page>
  );
}

/** Server administrators cannot open folders, so a row leads to the pads in it. */
function FolderLine({ group }: { group: AdminGroup }) {
  const { t } = useTranslation();
  const people = group.admins.length + group.memberCount;
  return (
    <Row
      href={placeWith(adminPlaces.pads, { group: group._id, name: group.name.slice(0, limits.name) })}
      name={group.name}
      quiet={group.archived}
      chips={
        <>
          {group.archived && <Chip icon={<ArchiveIcon />}>{t('admin.folders.archived')}</Chip>}
          {group.readonly && <Chip icon={<ReadonlyIcon />}>{t('folders.readonly')}</Chip>}
        </>
      }
      cells={[
        {
          key: 'visibility',
          width: '8.25rem',
          content: <VisibilityChip visibility={group.visibility} />,
        },
        { key: 'pads', width: '4rem', content: t('folders.pads', { count: group.padCount }) },
        {
          key: 'people',
          width: '6.75rem',
          wideOnly: true,
          content: <AvatarStack people={group.admins} total={people} />,
        },
        { key: 'time', width: '8.25rem', content: <RelativeTime time={group.lastUpdate} /> },
      ]}
    />
  );
}
