import { useState } from 'react';
import type { TrashedAnswer } from '../../../../api/trash/schema';
import { dateFormatter } from '../../../../model/dateFormat';
import { limits } from '../../../../model/limits';
import { displayName } from '../../components/Avatar';
import { Button } from '../../components/Button';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { Entry } from '../../components/Entry';
import { Page } from '../../components/Page';
import { Pagination, pageIn, useLastPage } from '../../components/Pagination';
import { RelativeTime, TimeText } from '../../components/RelativeTime';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import { FolderIcon, PadIcon, RemoveIcon } from '../../components/screenIcons';
import { toasts, useErrorToast } from '../../components/Toasts';
import { useRestore } from '../../data/restore';
import { useDeleteForGood, useEmptyTrash, useTrash } from '../../data/trash';
import { useQueryParams } from '../../navigation/location';
import { useTranslation } from '../../texts/i18n';
import { HelpLink } from '../guide/HelpLink';

/** What was deleted in the person's folders, the latest first. It can be restored, or deleted for good. */
export function Trash() {
  const { t } = useTranslation();
  const [parameters] = useQueryParams();
  const page = pageIn(parameters);
  const query = useTrash({ offset: (page - 1) * limits.page, limit: limits.page });
  const [asked, setAsked] = useState<TrashedAnswer | 'all' | null>(null);
  const { entries = [], count = 0 } = query.data ?? {};
  const pages = Math.ceil(count / limits.page);
  useLastPage(query.data !== undefined && entries.length === 0, { page, pages });
  const close = () => setAsked(null);
  return (
    <Page
      title={t('trash.title')}
      intro={
        count > 0 && (
          <>
            {t('trash.intro')} <HelpLink page="trash" about={t('trash.title')} />
          </>
        )
      }
      // Not the action, which a phone has at the lower edge, below the thumb.
      tools={count > 0 && <Button onClick={() => setAsked('all')}>{t('trash.emptyAll')}</Button>}
    >
      <Loading query={query} failed={t('trash.failed')}>
        <SkeletonRows height={64} rows={4} />
      </Loading>
      {query.data !== undefined && count === 0 && (
        <EmptyState icon={<RemoveIcon />} title={t('trash.empty')}>
          {t('trash.empty.text')} <HelpLink page="trash" about={t('trash.title')} />
        </EmptyState>
      )}
      <ul aria-label={t('trash.title')}>
        {entries.map((entry) => (
          <TrashEntry key={entry._id} entry={entry} onRemove={() => setAsked(entry)} />
        ))}
      </ul>
      <Pagination page={page} pages={pages} />
      {asked === 'all' && <EmptyTrash onClose={close} />}
      {asked !== null && asked !== 'all' && <DeleteForGood entry={asked} onClose={close} />}
    </Page>
  );
}

interface TrashEntryProps {
  entry: TrashedAnswer;
  onRemove: () => void;
}

function TrashEntry({ entry, onRemove }: TrashEntryProps) {
  const { t, language } = useTranslation();
  const showError = useErrorToast();
  const restore = useRestore();
  const { _id, kind, name, group, padCount, deleted, by, until } = entry;
  const date = dateFormatter(language, { dateStyle: 'long' })(until);
  const labelOf = (action: string) => t('text.detail', { text: action, detail: name });
  const run = () =>
    restore.mutateAsync({ ids: [_id] }).then(() => toasts.success(t('trash.restored', { name })), showError);
  return (
    <Entry
      icon={kind === 'pad' ? <PadIcon /> : <FolderIcon />}
      name={name}
      buttons={
        <>
          <Button
            small
            busy={restore.isPending}
            aria-label={labelOf(t('trash.restore'))}
            onClick={() => void run()}
          >
            {t('trash.restore')}
          </Button>
          <Button small kind="quiet" aria-label={labelOf(t('trash.remove'))} onClick={onRemove}>
            {t('trash.remove')}
          </Button>
        </>
      }
    >
      <p className="muted">
        {group === null ? t('folders.pads', { count: padCount }) : t('trash.in', { name: group.name })}
        {' · '}
        {by === null ? (
          <TimeText text="trash.deleted" time={deleted} />
        ) : (
          <>
            {t('trash.by', { name: displayName(by) })}
            {' · '}
            <RelativeTime time={deleted} />
          </>
        )}
        {' · '}
        {t('trash.until', { date })}
      </p>
    </Entry>
  );
}

function DeleteForGood({ entry, onClose }: { entry: TrashedAnswer; onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useDeleteForGood();
  const { _id, kind, name, padCount } = entry;
  return (
    <ConfirmDialog
      danger
      title={t('trash.remove.title', { name })}
      action={t('trash.remove')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync(_id)}
      done={t('trash.removed', { name })}
    >
      {kind === 'group' && padCount > 0 && <p>{t('remove.folder.pads', { count: padCount })}</p>}
      <p>{t(kind === 'pad' ? 'remove.pad.text' : 'remove.final')}</p>
    </ConfirmDialog>
  );
}

function EmptyTrash({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const empty = useEmptyTrash();
  return (
    <ConfirmDialog
      danger
      title={t('trash.emptyAll.title')}
      action={t('trash.emptyAll')}
      onClose={onClose}
      onConfirm={() => empty.mutateAsync()}
      done={t('trash.empty')}
    >
      <p>{t('trash.emptyAll.text')}</p>
    </ConfirmDialog>
  );
}
