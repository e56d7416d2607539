import { useState } from 'react';
import type { Pad } from '../../../../api/wire';
import { Button, IconButton } from '../../components/Button';
import { VisibilityChip } from '../../components/Chip';
import { classNames } from '../../components/classNames';
import { PadIcon, ReduceViewIcon, RetryIcon } from '../../components/icons';
import { Page, usePageLayout, usePageTitle } from '../../components/Page';
import { EmptyState, SkeletonRows } from '../../components/States';
import { isError } from '../../data/client';
import { rememberExpandedPad, wantsExpandedPad } from '../../data/preferences';
import { useGroup, usePad, useUser } from '../../data/queries';
import { useTranslation } from '../../i18n';
import { places } from '../../places';
import { PasswordQuestion } from '../access/PasswordQuestion';
import { Refusal, refusalKind } from '../access/Refusal';
import { Editor } from './Editor';
import { PadBar } from './PadBar';
import styles from './PadView.module.css';

/** How often the record of an open pad is read anew: somebody may have renamed or removed it. Milliseconds. */
const watch = 30_000;

export interface PadViewProps {
  group: string;
  pad: string;
}

/** A pad in its editor; or its password question; or why it cannot be shown. */
export function PadView({ group, pad: id }: PadViewProps) {
  const { t } = useTranslation();
  const user = useUser();
  const query = usePad(id, watch);
  const folder = useGroup(query.data?.group ?? group);
  const { data: pad, error } = query;
  const folderName = folder.data?.group.name;
  const crumbs = [
    ...(user === undefined ? [] : [{ label: t('folders.title'), href: places.folders }]),
    ...(folderName === undefined ? [] : [{ label: folderName, href: places.folder(group) }]),
  ];
  if (isError(error, 'BACKEND.ERROR.TYPE.PASSWORD_MISSING')) {
    const title = folderName === undefined ? t('pad.title') : t('pad.in', { name: folderName });
    return (
      <Page title={pad?.name ?? title} breadcrumb={crumbs} facts={<VisibilityChip visibility="private" />}>
        <PasswordQuestion what="pad" id={id} />
      </Page>
    );
  }
  if (error !== null && (pad === undefined || refusalKind(error) !== 'failed')) {
    return (
      <Page title={t('pad.title')} breadcrumb={crumbs}>
        <Refusal what="pad" error={error} busy={query.isFetching} onRetry={() => void query.refetch()} />
      </Page>
    );
  }
  if (pad === undefined) {
    return (
      <Page title={t('state.loading')} breadcrumb={crumbs}>
        <SkeletonRows rows={3} />
      </Page>
    );
  }
  return <OpenPad key={id} pad={pad} folderName={folderName} onNews={() => void query.refetch()} />;
}

interface OpenPadProps {
  pad: Pad;
  /** Unknown to somebody who sees the pad and not its folder. */
  folderName: string | undefined;
  onNews: () => void;
}

function OpenPad({ pad, folderName, onNews }: OpenPadProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(wantsExpandedPad);
  const [elsewhere, setElsewhere] = useState(false);
  const [visit, setVisit] = useState(1);
  const expanded = wanted && !elsewhere;
  usePageTitle(pad.name);
  usePageLayout(expanded ? 'expanded' : 'fill');
  const expand = (next: boolean): void => {
    setWanted(next);
    rememberExpandedPad(next);
  };
  const again = (): void => {
    setVisit((last) => last + 1);
    setElsewhere(false);
  };
  return (
    <div className={classNames(styles.view, expanded && styles.expanded)}>
      <PadBar
        pad={pad}
        folderName={folderName}
        hidden={expanded}
        onExpand={elsewhere ? undefined : () => expand(true)}
        onNewTab={() => setElsewhere(true)}
      />
      {expanded && (
        <div className={styles.reduce}>
          <IconButton
            kind="secondary"
            label={t('padView.reduce')}
            icon={<ReduceViewIcon />}
            onClick={() => expand(false)}
          />
        </div>
      )}
      {elsewhere ? (
        <EmptyState
          icon={<PadIcon />}
          title={t('padView.elsewhere.title')}
          action={
            <Button kind="primary" icon={<RetryIcon />} onClick={again}>
              {t('padView.elsewhere.again')}
            </Button>
          }
        >
          {t('padView.elsewhere.text')}
        </EmptyState>
      ) : (
        <Editor key={visit} pad={pad} visit={visit} onNews={onNews} onAgain={again} />
      )}
    </div>
  );
}
