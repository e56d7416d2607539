import type { AdminPad } from '../../../../../api/admin/schema';
import { type PadSorting, padSortings } from '../../../../../model/sortings';
import { Chip, VisibilityChip } from '../../../components/Chip';
import { Page } from '../../../components/Page';
import { ChangeTime } from '../../../components/RelativeTime';
import { Row, RowHeadings } from '../../../components/Rows';
import { EmptyState } from '../../../components/States';
import { ArchiveIcon, PadIcon, ReadonlyIcon } from '../../../components/screenIcons';
import { useAdminPads } from '../../../data/administration';
import { useQueryParams } from '../../../navigation/location';
import { paths } from '../../../navigation/paths';
import { useTranslation } from '../../../texts/i18n';
import { LastEditor } from '../../people/LastEditor';
import { adminPaths } from '../adminPaths';
import { AccessButton } from './AccessButton';
import { AdminList, Cut, usePageQuery } from './AdminList';
import { ContentFilters, useContentFilters } from './ContentFilters';
import { ListSortMenu } from './ListSortMenu';
import { shownLast } from './shownLast';
import { useSorting } from './useSorting';

/** The widths of the columns, for their headings too. */
const columns = {
  folder: { key: 'folder', width: '12rem' },
  visibility: { key: 'visibility', width: '8.25rem', chip: true },
  editor: { key: 'editor', width: '9rem', wideOnly: true },
  time: { key: 'time', width: '8.25rem' },
} as const;

/** All pads of the server, or those of one folder. */
export function AllPads() {
  const { t } = useTranslation();
  const [parameters, set] = useQueryParams();
  const group = parameters.get('group') ?? undefined;
  const { query, filtered, clear } = useContentFilters();
  const sorting = useSorting(padSortings);
  const answer = useAdminPads({ ...query, ...sorting.query, group, ...usePageQuery() });
  const fields = { name: t('folders.sort.name'), changed: t('folders.sort.updated') };
  const folder =
    group === undefined ? undefined : (answer.data?.pads[0]?.groupName ?? parameters.get('name'));
  return (
    <Page
      title={folder ? t('admin.pads.of', { name: folder }) : t('admin.pads.title')}
      intro={t('admin.pads.intro')}
      breadcrumb={
        group === undefined ? [] : [{ label: t('admin.folders.title'), href: shownLast(adminPaths.folders) }]
      }
    >
      <ContentFilters
        label={t('admin.pads.search')}
        count={answer.data && t('folders.pads', { count: answer.data.count })}
        nothing={answer.data?.count === 0}
        tools={<ListSortMenu sorting={sorting} fields={fields} />}
      />
      <AdminList
        label={t('admin.pads.title')}
        failed={t('admin.pads.failed')}
        query={answer}
        headings={
          <RowHeadings<PadSorting>
            {...sorting}
            withoutStar
            headings={[
              { key: 'name', label: fields.name, field: 'name' },
              { label: t('folder.title'), ...columns.folder },
              { label: t('folderForm.visibility'), ...columns.visibility },
              { label: t('lastEditor.heading'), ...columns.editor },
              { label: fields.changed, field: 'changed', descendingFirst: true, ...columns.time },
            ]}
          />
        }
        rows={answer.data?.pads.map((pad) => <PadLine key={pad._id} pad={pad} />)}
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
      href={paths.pad(pad.group, pad._id)}
      name={pad.name}
      muted={pad.archived}
      chips={
        <>
          {pad.archived && <Chip icon={<ArchiveIcon />}>{t('folderView.archived')}</Chip>}
          {pad.readonly && <Chip icon={<ReadonlyIcon />}>{t('folders.readonly')}</Chip>}
        </>
      }
      cells={[
        { ...columns.folder, content: <Cut text={pad.groupName} /> },
        { ...columns.visibility, content: <VisibilityChip visibility={pad.visibility} /> },
        { ...columns.editor, content: <LastEditor editor={pad.lastEditor} /> },
        {
          ...columns.time,
          content: pad.lastUpdate === null ? t('folderView.unchanged') : <ChangeTime time={pad.lastUpdate} />,
        },
      ]}
      menu={<AccessButton what="pad" id={pad._id} name={pad.name} />}
    />
  );
}
