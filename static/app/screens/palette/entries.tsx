import { useEffect, useMemo, useState } from 'react';
import type { Choice } from '../../components/ChoiceList';
import { InfoIcon } from '../../components/icons';
import type { MenuItem } from '../../components/Menu';
import {
  AccountIcon,
  AddFolderIcon,
  AddIcon,
  AddPadIcon,
  AdminIcon,
  FolderIcon,
  FoldIcon,
  KeyboardIcon,
  PadIcon,
  RemoveIcon,
  RequestIcon,
  SearchIcon,
  SettingsIcon,
  SignOutIcon,
  StarIcon,
  UserListIcon,
} from '../../components/screenIcons';
import { useAdminSession } from '../../data/adminSession';
import { useHasHelp, useSettings, useUser } from '../../data/configuration';
import { type Groups, useGroups } from '../../data/folders';
import { usePadNames, useRecentPads } from '../../data/pads';
import { useUserLists } from '../../data/userLists';
import { type Searchable, searchable } from '../../lib/matching';
import { folderOf, paths } from '../../navigation/paths';
import { seesAdministration, useLeave } from '../../shell/leaving';
import { showOverlay } from '../../shell/overlay';
import { useLanguageItems, useThemeItems } from '../../shell/preferenceItems';
import { screenActions } from '../../shell/screenActions';
import { translate, useTranslation } from '../../texts/i18n';
import { loadArea } from '../areas';
import { type Target, useNewPad } from '../newPad/useNewPad';

/** Something that the palette finds: a screen, a folder, a pad … or an action. */
export interface Entry extends Choice {
  searched: Searchable;
  /** Added to the score of a match. */
  bonus: number;
  href?: string;
  run?: () => void;
}

/** Bonus for recent pads, their folders, and folders. Actions come after things with the same name. */
const bonus = { recent: 4, recentFolder: 3, folder: 2, none: 0, action: -4 };

/** An entry that is found by its label and by `others`. */
const entry = (
  { bonus: own = bonus.none, ...shown }: Omit<Entry, 'searched' | 'bonus'> & { bonus?: number },
  others?: readonly string[],
): Entry => ({ ...shown, bonus: own, searched: searchable(shown.label, others) });

function foldersIn(
  groups: Groups | undefined,
  recent: ReadonlySet<string>,
  list: ReturnType<typeof useTranslation>['list'],
): Entry[] {
  const all = { ...groups?.shared.groups, ...groups?.bookmarks.groups, ...groups?.groups };
  return Object.values(all).map(({ _id: id, name, tags, archived }) =>
    entry(
      {
        id: `folder-${id}`,
        label: name,
        hint: list(tags) || undefined,
        icon: <FolderIcon />,
        href: paths.folder(id),
        bonus: recent.has(id) ? bonus.recentFolder : archived ? bonus.none : bonus.folder,
      },
      tags,
    ),
  );
}

interface NamedPad {
  _id: string;
  name: string;
  group: string | null;
}

/** All pads that the person can see in a list, each once, the recent ones first. Only these if `complete` is false. */
function usePads(complete: boolean): Entry[] {
  const { t } = useTranslation();
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
      Object.values({ ...groups?.bookmarks.pads, ...groups?.shared.pads }).forEach(add);
      for (const [group, pads] of Object.entries(names ?? {})) for (const pad of pads) add({ ...pad, group });
    }
    return [...all.values()].map((pad) => {
      const { _id: id, name } = pad;
      const group = folderOf(pad);
      const folder = groups?.groups[group] ?? groups?.bookmarks.groups[group] ?? groups?.shared.groups[group];
      return entry(
        {
          id: `pad-${id}`,
          label: name,
          hint: folder?.name ?? (groups?.shared.pads[id] && t('shared.title')),
          icon: <PadIcon />,
          href: paths.pad(group, id),
          bonus: isRecent.has(id) ? bonus.recent : bonus.none,
        },
        folder && [folder.name, ...folder.tags],
      );
    });
  }, [groups, names, recent, complete, t]);
}

function settingsIn(heading: string, items: readonly MenuItem[]): Entry[] {
  return items.flatMap((item): Entry[] => {
    if (typeof item !== 'object' || !('label' in item)) return [];
    const label = translate('text.detail', { text: heading, detail: item.label });
    const { icon = <SettingsIcon />, onSelect } = item;
    return [entry({ id: label, label, icon, run: onSelect, bonus: bonus.action })];
  });
}

/**
 * Actions that create a folder, or a pad in a folder where the person may. `only`: the id of one of these folders.
 * `first`: there is none, so that a new pad creates one.
 */
function useCreating(only: string | undefined, first: boolean): Entry[] {
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
  const firstPad = { id: 'new-pad', label: t('newPad.title'), icon: <AddPadIcon />, run: () => create(null) };
  return [
    ...(first ? [entry(firstPad)] : []),
    ...targets.map(({ folder, ...named }) => ({
      ...named,
      id: `new-${folder._id}`,
      icon: <AddPadIcon />,
      run: () => create(folder),
      bonus: bonus.action,
    })),
    entry({ id: 'new-folder', label: t('nav.newFolder'), icon: <AddFolderIcon />, href: paths.addFolder }),
  ];
}

/** The person's user lists. */
function useLists(): Entry[] {
  const { disableUserList } = useSettings();
  const { data: lists } = useUserLists();
  if (disableUserList) return [];
  return Object.entries(lists ?? {}).map(([key, { name }]) =>
    entry({ id: `list-${key}`, label: name, icon: <UserListIcon />, href: paths.editUserList(key) }),
  );
}

/** What can be done with the folder or pad on the screen. */
function ofScreen(): Entry[] {
  const { name, items } = screenActions() ?? { name: '', items: [] };
  let heading = '';
  return items.flatMap((item): Entry[] => {
    if (typeof item === 'object' && 'heading' in item) ({ heading } = item);
    if (item === 'line') heading = '';
    if (typeof item !== 'object' || !('label' in item)) return [];
    const { icon, href, onSelect: run } = item;
    const label =
      heading === '' ? item.label : translate('text.detail', { text: heading, detail: item.label });
    const shown = { id: `screen-${label}`, label, hint: name, icon, href, run };
    return [entry({ ...shown, bonus: bonus.recent }, [name])];
  });
}

/** Hides or shows the sidebar, by the button that does it. A phone has none. */
function ofSidebar(): Entry[] {
  const button = document.querySelector<HTMLElement>('[data-fold]');
  const label = button?.getAttribute('aria-label');
  if (!label || !button?.checkVisibility()) return [];
  return [entry({ id: 'sidebar', label, icon: <FoldIcon />, run: () => button.click() })];
}

const screen = (label: string, href: string, icon: Entry['icon']): Entry =>
  entry({ id: href, label, icon, href });

/** The screens of the administration, in a browser in which a server administrator is signed in. */
function useAdministration(): Entry[] {
  const { token } = useAdminSession();
  const [entries, setEntries] = useState<Entry[]>([]);
  useEffect(() => {
    if (token === null) return setEntries([]);
    let wanted = true;
    void Promise.all([import('../admin/adminEntries'), loadArea('admin')])
      .then(([{ adminEntries }]) => {
        const all = adminEntries().map(({ label, href }) => screen(label, href, <AdminIcon />));
        if (wanted) setEntries(all);
      })
      .catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [token]);
  return entries;
}

/** Signing out, and the administration, as in the person's menu. */
function useLeaving(): Entry[] {
  const { t } = useTranslation();
  const user = useUser();
  const settings = useSettings();
  const hasHelp = useHasHelp();
  const signOut = { id: 'sign-out', label: t('nav.signOut'), icon: <SignOutIcon />, run: useLeave() };
  return [
    ...(user !== undefined && seesAdministration(settings, user.login)
      ? [screen(t('nav.administration'), '/admin', <AdminIcon />)]
      : []),
    ...(hasHelp ? [screen(t('help.title'), paths.help, <InfoIcon />)] : []),
    ...(settings.disableLogoutButton ? [] : [entry(signOut)]),
  ];
}

/** The person's own screens, and the choices of the menu. */
function useScreens(): Entry[] {
  const { t } = useTranslation();
  const themes = useThemeItems();
  const languages = useLanguageItems();
  const leaving = useLeaving();
  const { disableUserProfile, disableUserList, searchTexts, trashDays } = useSettings();
  const { requests = 0 } = useGroups().data ?? {};
  const hint = t('palette.account');
  const { account: href } = paths;
  const account = { id: href, label: t('nav.profile'), hint, icon: <AccountIcon />, href };
  return [
    screen(t('nav.folders'), paths.folders, <FolderIcon />),
    ...(requests > 0 ? [screen(t('requests.title'), paths.requests, <RequestIcon />)] : []),
    screen(t('nav.bookmarks'), '/mybookmarks', <StarIcon />),
    ...(searchTexts ? [screen(t('search.title'), paths.search, <SearchIcon />)] : []),
    ...(disableUserList ? [] : [screen(t('userLists.title'), paths.userLists, <UserListIcon />)]),
    ...(disableUserList ? [] : [screen(t('palette.newUserList'), paths.addUserList, <AddIcon />)]),
    ...(trashDays > 0 ? [screen(t('trash.title'), paths.trash, <RemoveIcon />)] : []),
    ...(disableUserProfile ? [] : [entry(account, [hint])]),
    entry({
      id: 'shortcuts',
      label: t('shortcuts.title'),
      icon: <KeyboardIcon />,
      run: () => showOverlay('shortcuts'),
    }),
    ...ofSidebar(),
    ...leaving,
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
  /** What can be done with the folder or pad on the screen. */
  here: readonly Entry[];
  administration: readonly Entry[];
}

/** Everything that the palette can find. Before it is `complete`: only what it shows when it opens. */
export function useEntries(target: Target | null | undefined, complete: boolean): Entries {
  const { list } = useTranslation();
  const { data: groups } = useGroups();
  const { data: recent } = useRecentPads();
  const folders = useMemo(() => {
    if (!complete) return [];
    return foldersIn(groups, new Set(recent?.map(folderOf)), list);
  }, [groups, recent, complete, list]);
  return {
    pads: usePads(complete),
    folders,
    creating: useCreating(complete ? undefined : (target?._id ?? ''), target === null),
    lists: useLists(),
    screens: useScreens(),
    here: ofScreen(),
    administration: useAdministration(),
  };
}
