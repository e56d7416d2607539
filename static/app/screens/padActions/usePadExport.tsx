import type { Pad } from '../../../../api/answers';
import type { MenuItem } from '../../components/Menu';
import { DownloadIcon } from '../../components/screenIcons';
import { toasts } from '../../components/Toasts';
import { saveFile } from '../../lib/saveFile';
import { useTranslation } from '../../texts/i18n';
import { editorAddress } from '../padView/editorAddress';

/** Formats that every Etherpad exports without further programs. */
const formats = ['txt', 'html', 'etherpad'] as const;
type Format = (typeof formats)[number];

type NamedPad = Pick<Pad, '_id' | 'name'>;

/** Saves a file under the pad's name. Throws if Etherpad refuses the export. */
async function save({ _id: id, name }: NamedPad, format: Format): Promise<void> {
  const answer = await fetch(`${editorAddress(id)}/export/${format}`, { redirect: 'error' });
  if (!answer.ok) throw new Error(`${answer.status}`);
  saveFile(await answer.blob(), `${name}.${format}`);
}

/** Menu entries that save the pad as a file. */
export function usePadExport(pad: NamedPad): MenuItem[] {
  const { t } = useTranslation();
  return [
    { heading: t('padActions.export') },
    ...formats.map((format) => ({
      label: t(`padActions.export.${format}`),
      icon: <DownloadIcon />,
      onSelect: () => {
        save(pad, format).catch(() => toasts.error(t('padActions.export.failed', { name: pad.name })));
      },
    })),
  ];
}
