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
 * opened last, else the first one where they may create pads.
 */
export function usePadTarget(): ListedFolder | undefined {
  const [path] = useLocation();
  const { language } = useTranslation();
  const { data } = useGroups();
  const { data: recent } = useRecentPads();
  return useMemo(() => {
    const groups = data?.groups ?? {};
    const here = folderOf(path);
    const first = Object.values(groups)
      .filter(({ archived }) => !archived)
      .sort((one, other) => one.name.localeCompare(other.name, language));
    const wanted = [
      ...(here === undefined ? [] : [groups[decodeURIComponent(here)]]),
      ...(recent ?? []).map((pad) => groups[pad.group]),
      ...first,
    ];
    return wanted.find((group) => group?.abilities.createPad);
  }, [path, data, recent, language]);
}
