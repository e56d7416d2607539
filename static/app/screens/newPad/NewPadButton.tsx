import { Button } from '../../components/Button';
import { visibilityIcons } from '../../components/Chip';
import { Menu, type MenuItem, type MenuProps } from '../../components/Menu';
import {
  AddFolderIcon,
  AddIcon,
  AddPadIcon,
  ExpandIcon,
  SearchIcon,
  TemplateIcon,
} from '../../components/screenIcons';
import { useSettings } from '../../data/configuration';
import { useGroups } from '../../data/folders';
import { navigate } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { showOverlay } from '../../shell/overlay';
import { useTranslation } from '../../texts/i18n';
import styles from './NewPadButton.module.css';
import { type Target, useNewPad } from './useNewPad';
import { usePadTarget, usePadTargets } from './usePadTarget';

/** Folders in the menu. The search finds the others. */
const foldersShown = 8;

const templatesShown = 20;

/** Where a new pad will be. A long name is cut at its own end, also where the text around it ends at the other side. */
function Where({ name }: { name: string }) {
  const { t } = useTranslation();
  const [before, after] = t('bookmarks.in', { name: '\n' }).split('\n');
  return (
    <span className={styles.in}>
      {before}
      <span className="cut">{name}</span>
      {after}
    </span>
  );
}

/** What a button for a new pad shows and does. `undefined`: still loading. */
export function useNewPadButton() {
  const { t } = useTranslation();
  const target = usePadTarget();
  const { create, busy } = useNewPad();
  if (target === undefined) return undefined;
  const name = target?.name ?? t('newPad.firstFolder');
  return {
    label: t('newPad.in', { name }),
    where: <Where name={name} />,
    busy,
    create: () => create(target),
  };
}

/** Items that create a pad from a template: those of the folder, then those for everyone. None: an empty list. */
function useTemplateItems(folder: Target | null | undefined, leaving = (act: () => void) => act): MenuItem[] {
  const { t } = useTranslation();
  const { data } = useGroups();
  const { create } = useNewPad();
  if (data === undefined || folder === undefined) return [];
  const own = folder === null ? [] : (data.groups[folder._id]?.templates ?? []);
  const templates = new Map([...own, ...data.templates].map((template) => [template._id, template]));
  if (templates.size === 0) return [];
  return [
    { heading: t('newPad.templates') },
    ...[...templates.values()].slice(0, templatesShown).map((template) => ({
      label: template.name,
      icon: <TemplateIcon />,
      onSelect: leaving(() => create(folder, { template })),
    })),
  ];
}

/** The primary button of a folder's screen: a menu if there are templates. */
export function NewPadInFolder({ folder }: { folder: Target }) {
  const { t } = useTranslation();
  const { create, busy } = useNewPad();
  const templates = useTemplateItems(folder);
  const button = { kind: 'primary', icon: <AddIcon />, busy } as const;
  if (templates.length === 0) {
    return (
      <Button {...button} onClick={() => create(folder)}>
        {t('newPad.title')}
      </Button>
    );
  }
  return (
    <Menu
      label={t('newPad.title')}
      trigger={(props) => (
        <Button {...props} {...button}>
          {t('newPad.title')}
        </Button>
      )}
      items={[
        { label: t('newPad.empty'), icon: <AddPadIcon />, onSelect: () => create(folder) },
        ...templates,
      ]}
    />
  );
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
  const target = usePadTarget();
  const leaving = (act: () => void) => (): void => {
    onLeave?.();
    act();
  };
  const templates = useTemplateItems(target, leaving);
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
        ...templates,
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
            {where}
            <ExpandIcon />
          </Button>
        )}
      />
    </div>
  );
}
