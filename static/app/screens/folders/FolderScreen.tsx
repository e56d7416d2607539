import type { ReactNode } from 'react';
import type { Group } from '../../../../api/answers';
import { LinkButton } from '../../components/Button';
import { CatchTyping } from '../../components/CatchTyping';
import { Page } from '../../components/Page';
import { EmptyState, SkeletonRows } from '../../components/States';
import { ReadonlyIcon } from '../../components/screenIcons';
import { type Folder, useGroup } from '../../data/folders';
import { useLastError } from '../../data/lastError';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { Refusal, refusalKind, retrying } from '../access/Refusal';

export type OpenFolder = Extract<Folder, { locked: false }>;

export interface FolderScreenProps {
  id: string;
  /** The screen's heading. */
  title: string;
  /** Whether the person may use this screen. The server checks again when something is sent. */
  needs: (group: Group) => boolean;
  /** The text if `needs` returns false. Default: only administrators may do this. */
  refusal?: string;
  /** A field of the content has the focus first. It gets what is typed until then. */
  startsInField?: boolean;
  children: (folder: OpenFolder) => ReactNode;
}

/**
 * The common parts of the screens about one folder: loading, refusal, or the content. The content keeps the version of
 * the folder with which it was first rendered.
 */
export function FolderScreen(props: FolderScreenProps) {
  const { id, title, needs, refusal, startsInField = false, children } = props;
  const { t } = useTranslation();
  const query = useGroup(id);
  const { data, error } = useLastError(id, query);
  const folder = data?.locked === false && !query.isPlaceholderData ? data : undefined;
  const crumbs = [
    { label: t('folders.title'), href: paths.folders },
    ...(data === undefined ? [] : [{ label: data.group.name, href: paths.folder(id) }]),
  ];
  const content = (): ReactNode => {
    if (error !== null && (folder === undefined || refusalKind(error) !== 'failed')) {
      return <Refusal what="folder" id={id} error={error} {...retrying(query)} />;
    }
    if (data === undefined || query.isPlaceholderData) {
      return (
        <>
          {startsInField && <CatchTyping />}
          <SkeletonRows rows={4} />
        </>
      );
    }
    if (folder === undefined || !needs(folder.group)) {
      return (
        <EmptyState
          icon={<ReadonlyIcon />}
          title={refusal ?? t('access.edit.denied')}
          action={<LinkButton href={paths.folder(id)}>{t('access.toFolder')}</LinkButton>}
        />
      );
    }
    return children(folder);
  };
  return (
    <Page title={title} parent={data?.group.name} breadcrumb={crumbs} width="form">
      {content()}
    </Page>
  );
}
