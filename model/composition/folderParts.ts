/** Folders and pads: records, lists, bookmarks, and their removal. */
import { type Bookmarks, createBookmarks } from '../folders/bookmark';
import { createEditTimes, type EditTimes } from '../folders/editTimes';
import { createGroups, type Groups } from '../folders/group';
import { createGroupContents, type GroupContents } from '../folders/groupContents';
import { createKeptLinks, type KeptLinks } from '../folders/keptLinks';
import { createPads, type Pads } from '../folders/pad';
import { createRecentPads, type RecentPads } from '../folders/recentPads';
import { createPadImports, type PadImports } from '../padImport/padImports';
import type { Ports } from '../ports';
import { createReferenceCleanup, type ReferenceCleanup } from '../removal/referenceCleanup';
import { createRemovals, type Removals } from '../removal/removals';
import { createTrash, type Trash } from '../removal/trash';
import type { AccessParts } from './accessParts';
import type { AccountParts } from './accountParts';
import type { Foundation } from './foundation';

export interface FolderParts {
  referenceCleanup: ReferenceCleanup;
  removals: Removals;
  trash: Trash;
  groups: Groups;
  pads: Pads;
  editTimes: EditTimes;
  groupContents: GroupContents;
  bookmarks: Bookmarks;
  recentPads: RecentPads;
  keptLinks: KeptLinks;
  padImports: PadImports;
}

export function createFolderParts(
  earlier: Foundation & AccessParts & AccountParts,
  ports: Pick<Ports, 'pads' | 'sharesDatabase' | 'uploadFolders'>,
): FolderParts {
  const { configuration, database, writes } = earlier;
  const editorPads = database.guardPads(ports.pads);
  const referenceCleanup = createReferenceCleanup(earlier);
  const removals = createRemovals({
    ...earlier,
    editorPads,
    referenceCleanup,
    sharesDatabase: ports.sharesDatabase,
    inBackground: () => configuration.get('deleteJobQueue'),
  });
  const groups = createGroups({ ...earlier, removals });
  const everybodyIsNamed = () => configuration.get('useFirstLastNameInPads');
  const pads = createPads({ ...earlier, groups, removals, editorPads, everybodyIsNamed });
  const editTimes = createEditTimes({ ...earlier, pads });
  return {
    referenceCleanup,
    removals,
    trash: createTrash({ ...earlier, removals, trashDays: () => configuration.get('trashDays') }),
    groups,
    pads,
    editTimes,
    groupContents: createGroupContents({ ...earlier, editTimes, removals }, writes),
    bookmarks: createBookmarks({ ...earlier, groups, pads }),
    recentPads: createRecentPads(earlier),
    keptLinks: createKeptLinks(earlier),
    padImports: createPadImports({
      ...earlier,
      groups,
      pads,
      removals,
      editorPads,
      uploadFolders: ports.uploadFolders,
    }),
  };
}
