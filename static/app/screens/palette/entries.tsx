import { useMemo } from 'react';
import type { Choice } from '../../components/ChoiceList';
import {
  AccountIcon,
  AddFolderIcon,
  AddPadIcon,
  FolderIcon,
  KeyboardIcon,
  PadIcon,
  SettingsIcon,
  StarIcon,
  UserListIcon,
} from '../../components/icons';
import type { MenuItem } from '../../components/Menu';
import { useSettings } from '../../data/configuration';
import { type Groups, useGroups } from '../../data/folders';
import { usePadNames, useRecentPads } from '../../data/pads';
import { useUserLists } from '../../data/userLists';
import { useTranslation } from '../../i18n';
import { type Searchable, searchable } from '../../matching';
import { paths } from '../../paths';
import { showOverlay } from '../../shell/overlay';
import { useLanguageItems, useThemeItems } from '../../shell/preferenceItems';
import { type Target, useNewPad } from '../newPad/useNewPad';

/** Something that the palette finds: a screen, a folder, a pad … or an action. */
export interface Entry extends Choice {
  searched: Searchable;
  /** Added to the score of a match. */
  bonus: number;
  href?: string;
  run?: () => void;
}

/** Bonus for recent pads and for folders. Actions come after things with the same name. */
const bonus = { recent: 4, folder: 2, none: 0, action: -4 };

function foldersIn(groups: Groups | undefined): Entry[] {
  const all = { ...groups?.bookmarks.groups, ...groups?.groups };
  return Object.values(all).map(({ _id: id, name, tags, archived }) => ({
    id: `folder-${id}`,
    label: name,
    hint: tags.join(', ') || undefined,
    icon: <FolderIcon />,
    href: paths.folder(id),
    searched: searchable(name, tags),
    bonus: archived ? bonus.none : bonus.folder,
  }));
}

interface NamedPad {
  _id: string;
  name: string;
  group: string;
}

/** All pads that the person can see in a list, each once, the recent ones first. Only these if `complete` is false. */
function usePads(complete: boolean): Entry[] {
  const { data: groups } = useGroups();
  const { data: names } = usePadNames();
  const { data: recent } = useRecentPads();
  return useMemo(() => {
    const isRecent = new Set(recent?.map(({ _id }) => _id));
    const all = new Map<string, NamedPad>();
    const add = (pad: NamedPad): void => {
      if (!all.has(pad._id)) all.set(pad._id, pad);
    };
    recent?.forEach(add);
    if (complete) {
      Object.values(groups?.bookmarks.pads ?? {}).forEach(add);
      for (const [group, pads] of Object.entries(names ?? {})) for (const pad of pads) add({ ...pad, group });
    }
    return [...all.values()].map(({ _id: id, name, group }) => {
      const folder = groups?.groups[group] ?? groups?.bookmarks.groups[group];
      return {
        id: `pad-${id}`,
        label: name,
        hint: folder?.name,
        icon: <PadIcon />,
        href: paths.pad(group, id),
        searched: searchable(name, folder === undefined ? [] : [folder.name, ...folder.tags]),
        bonus: isRecent.has(id) ? bonus.recent : bonus.none,
      };
    });
  }, [groups, names, recent, complete]);
}

function settingsIn(heading: string, items: readonly MenuItem[]): Entry[] {
  return items.flatMap((item): Entry[] => {
    if (typeof item !== 'object' || !('label' in item)) return [];
    const label = `${heading}: ${item.label}`;
    const { icon = <SettingsIcon />, onSelect } = item;
    return [{ id: label, label, icon, run: onSelect, searched: searchable(label), bonus: bonus.action }];
  });
}

/** Actions that create a folder, or a pad in a folder where the person may. `only`: the id of one of these folders. */
function useCreating(only: string | undefined): Entry[] {
  const { t } = useTranslation();
  const { data: groups } = useGroups();
  const { create } = useNewPad();
  const targets = useMemo(
    () =>
      Object.values(groups?.groups ?? {})
        .filter(({ _id }) => only === undefined || _id === only)
        .filter(({ abilities, archived }) => abilities.createPad && !archived)
        .map((folder) => {
          const label = t('newPad.in', { name: folder.name });
          return { folder, label, searched: searchable(label) };
        }),
    [groups, t, only],
  );
  const label = t('nav.newFolder');
  const { addFolder: href } = paths;
  return [
    ...targets.map(({ folder, ...named }) => ({
      ...named,
      id: `new-${folder._id}`,
      icon: <AddPadIcon />,
      run: () => create(folder),
      bonus: bonus.action,
    })),
    {
      id: 'new-folder',
      label,
      icon: <AddFolderIcon />,
      href,
      searched: searchable(label),
      bonus: bonus.none,
    },
  ];
}

/** The person's user lists. */
function useLists(): Entry[] {
  const { disableUserList } = useSettings();
  const { data: lists } = useUserLists();
  if (disableUserList) return [];
  return Object.entries(lists ?? {}).map(([key, { name }]) => ({
    id: `list-${key}`,
    label: name,
    icon: <UserListIcon />,
    href: paths.editUserList(key),
    searched: searchable(name),
    bonus: bonus.none,
  }));
}

/** The person's own screens, and the choices of the menu. */
function useScreens(): Entry[] {
  const { t } = useTranslation();
  const themes = useThemeItems();
  const languages = useLanguageItems();
  const screen = (label: string, href: string, icon: Entry['icon']): Entry => ({
    id: href,
    label,
    icon,
    href,
    searched: searchable(label),
    bonus: bonus.none,
  });
  const { disableUserProfile, disableUserList } = useSettings();
  return [
    screen(t('nav.folders'), paths.folders, <FolderIcon />),
    screen(t('nav.bookmarks'), '/mybookmarks', <StarIcon />),
    ...(disableUserList ? [] : [screen(t('nav.userLists'), paths.userLists, <UserListIcon />)]),
    ...(disableUserProfile ? [] : [screen(t('nav.profile'), paths.account, <AccountIcon />)]),
    {
      id: 'shortcuts',
      label: t('shortcuts.title'),
      icon: <KeyboardIcon />,
      run: () => showOverlay('shortcuts'),
      searched: searchable(t('shortcuts.title')),
      bonus: bonus.none,
    },
    ...settingsIn(t('theme.label'), themes),
    ...settingsIn(t('language.label'), languages),
  ];
}

export interface Entries {
  pads: readonly Entry[];
  folders: readonly Entry[];
  creating: readonly Entry[];
  lists: readonly Entry[];
  screens: readonly Entry[];
}

/** Everything that the palette can find. Before it is `complete`: only what it shows when it opens. */
export function useEntries(target: Target | undefined, complete: boolean): Entries {
  const { data: groups } = useGroups();
  const folders = useMemo(() => (complete ? foldersIn(groups) : []), [groups, complete]);
  const creating = useCreating(complete ? undefined : (target?._id ?? ''));
  return { pads: usePads(complete), folders, creating, lists: useLists(), screens: useScreens() };
}
