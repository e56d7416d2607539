import { useQuery } from '@tanstack/react-query';
import type { Pad, PadSummary } from '../../../../api/answers';
import { useSettings } from '../../data/configuration';
import { type Groups, type ListedFolder, useGroups } from '../../data/folders';
import { keys } from '../../data/keys';
import { useRecentPads } from '../../data/pads';
import { keepResult } from '../../lib/keepResult';
import { useLocation } from '../../navigation/location';
import { folderOf } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';

function decoded(part: string | undefined): string | undefined {
  try {
    return part && decodeURIComponent(part);
  } catch {
    // A part of the address is missing.
    return part;
  }
}

/** The folder on the screen. That of an open pad may be another one than in its address: it was moved since then. */
function useShownFolder(): string | undefined {
  const [path] = useLocation();
  const [, folder, pad] = /^\/mypads\/group\/([^/]+)\/(?:pad\/view\/(.+))?/.exec(path) ?? [];
  // Reads nothing itself: the screen of the pad does. `skipToken` would replace the function by which that reads.
  const { data } = useQuery<Pad>({ queryKey: keys.pad(decoded(pad) ?? ''), enabled: false });
  return data === undefined ? decoded(folder) : (data.group ?? undefined);
}

const targetsOf = keepResult(
  ({ groups }: Groups, recent: readonly PadSummary[] | undefined, language: string): ListedFolder[] => {
    const byName = Object.values(groups)
      .filter(({ archived }) => !archived)
      .sort((one, other) => one.name.localeCompare(other.name, language));
    const all = new Set([...(recent ?? []).flatMap((pad) => groups[folderOf(pad)] ?? []), ...byName]);
    return [...all].filter(({ abilities }) => abilities.createPad);
  },
);

/**
 * The folders in which the person may create pads: those of the pads that they opened last, then the others by name.
 * `undefined`: still loading.
 */
export function usePadTargets(): readonly ListedFolder[] | undefined {
  const { language } = useTranslation();
  const { data } = useGroups();
  const { data: recent } = useRecentPads();
  return data && targetsOf(data, recent, language);
}

/** Screens that show folders or pads. */
const showsPads = (path: string): boolean => /^\/my(?:pads|bookmarks)(?:\/|$)/.test(path);

/**
 * The folder for a new pad, if the person did not choose one: the folder on the screen, else the first of the others
 * that is not public. `null`: there is none. `undefined`: still loading.
 */
export function usePadTarget(): ListedFolder | null | undefined {
  const shown = useShownFolder();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const { data } = useGroups();
  const targets = usePadTargets();
  if (data === undefined || targets === undefined) return undefined;
  const here = data.groups[shown ?? ''];
  if (here?.abilities.createPad) return here;
  return targets.find(({ visibility }) => signedInOnly || visibility !== 'public') ?? null;
}

/**
 * As `usePadTarget`, for a key, with which nobody sees where: `undefined` on screens without folders and pads, and in
 * a folder in which the person may create none.
 */
export function useKeyPadTarget(): ListedFolder | null | undefined {
  const [path] = useLocation();
  const target = usePadTarget();
  const folder = useShownFolder();
  const isElsewhere = folder !== undefined && target?._id !== folder;
  return showsPads(path) && !isElsewhere ? target : undefined;
}
