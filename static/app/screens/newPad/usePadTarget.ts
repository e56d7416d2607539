import { useMemo } from 'react';
import { type ListedFolder, useGroups } from '../../data/folders';
import { useRecentPads } from '../../data/pads';
import { useTranslation } from '../../i18n';
import { useLocation } from '../../location';

/** The folder in a path: `/mypads/group/<id>/…`. */
function folderOf(path: string): string | undefined {
  return /^\/mypads\/group\/([^/]+)\/./.exec(path)?.[1];
}

/**
 * The folder for a new pad, if the person did not choose one: the folder on the screen, else that of the pad they
 * opened last, else the first one where they may create pads. `null`: there is none. `undefined`: still loading.
 */
export function usePadTarget(): ListedFolder | null | undefined {
  const [path] = useLocation();
  const { language } = useTranslation();
  const { data } = useGroups();
  const { data: recent } = useRecentPads();
  return useMemo(() => {
    if (data === undefined) return undefined;
    const { groups } = data;
    const here = folderOf(path);
    const first = Object.values(groups)
      .filter(({ archived }) => !archived)
      .sort((one, other) => one.name.localeCompare(other.name, language));
    const wanted = [
      ...(here === undefined ? [] : [groups[decodeURIComponent(here)]]),
      ...(recent ?? []).map((pad) => groups[pad.group]),
      ...first,
    ];
    return wanted.find((group) => group?.abilities.createPad) ?? null;
  }, [path, data, recent, language]);
}
