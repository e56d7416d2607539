import { Button } from '../../components/Button';
import { visibilityIcons } from '../../components/Chip';
import { Menu, type MenuItem, type MenuProps } from '../../components/Menu';
import { AddFolderIcon, AddIcon, ExpandIcon, SearchIcon } from '../../components/screenIcons';
import { useSettings } from '../../data/configuration';
import { navigate } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { showOverlay } from '../../shell/overlay';
import { useTranslation } from '../../texts/i18n';
import styles from './NewPadButton.module.css';
import { useNewPad } from './useNewPad';
import { usePadTarget, usePadTargets } from './usePadTarget';

/** Folders in the menu. The search finds the others. */
const foldersShown = 8;

/** What a button for a new pad shows and does. `undefined`: still loading. */
export function useNewPadButton() {
  const { t } = useTranslation();
  const target = usePadTarget();
  const { create, busy } = useNewPad();
  if (target === undefined) return undefined;
  const name = target?.name ?? t('newPad.firstFolder');
  return {
    label: t('newPad.in', { name }),
    where: t('bookmarks.in', { name }),
    busy,
    create: () => create(target),
  };
}

interface NewPadMenuProps extends Pick<MenuProps, 'trigger' | 'align'> {
  /** Called when something was chosen, to close the sidebar on a phone. */
  onLeave?: (() => void) | undefined;
}

/** Creates a pad in the folder that is chosen. */
export function NewPadMenu({ onLeave, ...menu }: NewPadMenuProps) {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const { create } = useNewPad();
  const targets = usePadTargets() ?? [];
  const leaving = (act: () => void) => (): void => {
    onLeave?.();
    act();
  };
  const folders = targets.slice(0, foldersShown).map((folder): MenuItem => {
    const Icon = visibilityIcons[signedInOnly ? 'restricted' : folder.visibility];
    return {
      label: folder.name,
      icon: <Icon />,
      ...(folder.visibility === 'public' && !signedInOnly && { hint: t('visibility.public') }),
      onSelect: leaving(() => create(folder)),
    };
  });
  return (
    <Menu
      {...menu}
      label={t('newPad.choose')}
      items={[
        { heading: t('newPad.choose') },
        ...folders,
        'line',
        targets.length > foldersShown && {
          label: t('nav.search'),
          icon: <SearchIcon />,
          onSelect: leaving(() => showOverlay('palette')),
        },
        {
          label: t('nav.newFolder'),
          icon: <AddFolderIcon />,
          onSelect: leaving(() => navigate(paths.addFolder)),
        },
      ]}
    />
  );
}

/** The primary button of a screen that is not of one folder: it says where the pad will be, and offers others. */
export function NewPadButton() {
  const { t } = useTranslation();
  const button = useNewPadButton();
  if (button === undefined) return null;
  const { label, where, busy, create } = button;
  return (
    <div className={styles.split}>
      <Button
        kind="primary"
        icon={<AddIcon />}
        aria-label={label}
        busy={busy}
        onClick={create}
        className={styles.create}
      >
        {t('newPad.title')}
      </Button>
      <NewPadMenu
        align="end"
        trigger={(props) => (
          <Button {...props} kind="primary" title={t('newPad.choose')} className={styles.where}>
            <bdi className={styles.name}>{where}</bdi>
            <ExpandIcon />
          </Button>
        )}
      />
    </div>
  );
}
