import type { AdminGroup } from '../../../../../api/admin/schema';
import { cutText } from '../../../../../model/cutText';
import { limits } from '../../../../../model/limits';
import { type GroupSorting, groupSortings } from '../../../../../model/sortings';
import { AvatarStack } from '../../../components/Avatar';
import { Chip, VisibilityChip } from '../../../components/Chip';
import { Page } from '../../../components/Page';
import { ChangeTime } from '../../../components/RelativeTime';
import { Row, RowHeadings } from '../../../components/Rows';
import { EmptyState } from '../../../components/States';
import { ArchiveIcon, FolderIcon, ReadonlyIcon } from '../../../components/screenIcons';
import { useAdminGroups } from '../../../data/administration';
import { setQueryParams, withParameters } from '../../../navigation/location';
import { useTranslation } from '../../../texts/i18n';
import { adminPaths } from '../adminPaths';
import { AccessButton } from './AccessButton';
import { AdminList, usePageQuery } from './AdminList';
import { ContentFilters, useContentFilters } from './ContentFilters';
import { ListSortMenu } from './ListSortMenu';
import { useSorting } from './useSorting';

/** The widths of the columns, for their headings too. */
const columns = {
  visibility: { key: 'visibility', width: '8.25rem', chip: true },
  pads: { key: 'pads', width: '4.5rem' },
  people: { key: 'people', width: '6.75rem', wideOnly: true },
  time: { key: 'time', width: '8.25rem' },
} as const;

/** All folders of the server. */
export function AllFolders() {
  const { t } = useTranslation();
  const { query, filtered, clear } = useContentFilters();
  const sorting = useSorting(groupSortings);
  const answer = useAdminGroups({ ...query, ...sorting.query, ...usePageQuery() });
  const fields = {
    name: t('folders.sort.name'),
    pads: t('folderView.pads'),
    changed: t('folders.sort.updated'),
  };
  return (
    <Page title={t('admin.folders.title')} intro={t('admin.folders.intro')}>
      <ContentFilters
        label={t('admin.folders.search')}
        count={answer.data && t('folders.count', { count: answer.data.count })}
        nothing={answer.data?.count === 0}
        tools={<ListSortMenu sorting={sorting} fields={fields} />}
      />
      <AdminList
        label={t('admin.folders.title')}
        failed={t('admin.folders.failed')}
        query={answer}
        headings={
          <RowHeadings<GroupSorting>
            {...sorting}
            withoutStar
            headings={[
              { key: 'name', label: fields.name, field: 'name' },
              { label: t('folderForm.visibility'), ...columns.visibility },
              { label: fields.pads, field: 'pads', descendingFirst: true, ...columns.pads },
              { label: t('folderView.people'), ...columns.people },
              { label: fields.changed, field: 'changed', descendingFirst: true, ...columns.time },
            ]}
          />
        }
        rows={answer.data?.groups.map((group) => <FolderLine key={group._id} group={group} />)}
        filtered={filtered}
        onClear={() => setQueryParams(clear)}
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
      href={withParameters(adminPaths.pads, { group: group._id, name: cutText(group.name, limits.name) })}
      name={group.name}
      muted={group.archived}
      chips={
        <>
          {group.archived && <Chip icon={<ArchiveIcon />}>{t('folderView.archived')}</Chip>}
          {group.readonly && <Chip icon={<ReadonlyIcon />}>{t('folders.readonly')}</Chip>}
        </>
      }
      cells={[
        { ...columns.visibility, content: <VisibilityChip visibility={group.visibility} /> },
        { ...columns.pads, content: t('folders.pads', { count: group.padCount }) },
        { ...columns.people, content: <AvatarStack people={group.admins} total={people} /> },
        { ...columns.time, content: <ChangeTime time={group.lastUpdate} /> },
      ]}
      menu={<AccessButton what="group" id={group._id} name={group.name} />}
    />
  );
}
