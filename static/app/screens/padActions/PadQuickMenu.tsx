import { CatchTyping } from '../../components/CatchTyping';
import { Menu, type MenuAction } from '../../components/Menu';
import { FolderOpenIcon, NewTabIcon, ShareIcon, StarIcon } from '../../components/screenIcons';
import { usePad } from '../../data/pads';
import { paths } from '../../navigation/paths';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import { editorAddress } from '../padView/editorAddress';
import { useMissing } from '../removal/useMissing';
import { SharePad } from '../sharing/ShareDialog';
import { usePadExport } from './usePadExport';

export interface PadQuickMenuProps {
  pad: { _id: string; name: string; group: string | null };
  /** Opens `SharePadAt`. */
  onShare: (id: string) => void;
  /** Sets or removes the bookmark, where the row has no star. */
  star?: { on: boolean; onToggle: (id: string) => void };
  /** Another action. */
  more?: MenuAction | undefined;
}

/** The menu of a pad in a list outside of its folder, where the person's rights are not known. */
export function PadQuickMenu({ pad, onShare, star, more }: PadQuickMenuProps) {
  const { t } = useTranslation();
  const exporting = usePadExport(pad);
  return (
    <Menu
      label={t('folders.actions', { name: pad.name })}
      items={() => [
        pad.group !== null && {
          label: t('bookmarks.openFolder'),
          icon: <FolderOpenIcon />,
          href: paths.folder(pad.group),
        },
        {
          label: t('padActions.newTab'),
          icon: <NewTabIcon />,
          onSelect: () => void window.open(editorAddress(pad._id), '_blank', 'noopener'),
        },
        { label: t('share.button'), icon: <ShareIcon />, onSelect: () => onShare(pad._id) },
        star !== undefined && {
          label: t(star.on ? 'star.remove' : 'star.add'),
          icon: <StarIcon />,
          onSelect: () => star.onToggle(pad._id),
        },
        ...exporting,
        more ?? false,
      ]}
    />
  );
}

/** The share dialog of a pad that is not loaded yet. */
export function SharePadAt({ id, onClose }: { id: string; onClose: () => void }) {
  const errorText = useErrorText();
  const { data, error } = usePad(id);
  const failed = data === undefined && error !== null;
  useMissing(failed, failed ? errorText(error) : '', onClose);
  return data === undefined ? <CatchTyping forDialog /> : <SharePad pad={data} onClose={onClose} />;
}
