import { useState } from 'react';
import type { ExportAnswer } from '../../../../api/export/schema';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Entry } from '../../components/Entry';
import { Page } from '../../components/Page';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import { AccountIcon, DownloadIcon, FolderIcon, PadIcon } from '../../components/screenIcons';
import { asPerson, useExports } from '../../data/exports';
import { useTranslation } from '../../texts/i18n';
import { HelpLink } from '../guide/HelpLink';
import { ExportForm } from './ExportForm';
import { ExportButtons, ExportState, nameOfExport } from './ExportState';

/** What the person has exported in the last day, and a button for all their data. */
export function Exports() {
  const { t } = useTranslation();
  const query = useExports(asPerson);
  const { data } = query;
  return (
    <Page title={t('exports.title')} intro={t('exports.intro')} action={<OwnDataButton />}>
      <Loading query={query} failed={t('exports.loadFailed')}>
        <SkeletonRows height={64} rows={2} />
      </Loading>
      {data?.length === 0 && (
        <EmptyState icon={<DownloadIcon />} title={t('exports.empty')}>
          {t('exports.empty.text')} <HelpLink page="files#export" about={t('exports.title')} />
        </EmptyState>
      )}
      <ul aria-label={t('exports.title')}>
        {data?.map((value) => (
          <ExportEntry key={value._id} value={value} onGone={() => void query.refetch()} />
        ))}
      </ul>
    </Page>
  );
}

const icons = { pads: PadIcon, group: FolderIcon, account: AccountIcon };

function ExportEntry({ value, onGone }: { value: ExportAnswer; onGone: () => void }) {
  const { t } = useTranslation();
  const Icon = icons[value.about];
  return (
    <Entry
      icon={<Icon />}
      name={nameOfExport(value, t)}
      buttons={<ExportButtons value={value} caller={asPerson} onGone={onGone} />}
    >
      <ExportState value={value} />
    </Entry>
  );
}

/** Begins an export of all data of the person. */
export function OwnDataButton() {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const close = () => setAsked(false);
  return (
    <>
      <Button onClick={() => setAsked(true)}>{t('exports.me')}</Button>
      {asked && (
        <Dialog title={t('exports.me')} onClose={close}>
          <ExportForm of={{ me: true }} onClose={close} />
        </Dialog>
      )}
    </>
  );
}
