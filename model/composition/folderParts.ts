/** Folders and pads: records, lists, bookmarks, and their removal. */
import { createBookmarks } from '../folders/bookmark';
import { EditTimes } from '../folders/editTimes';
import { createGroups } from '../folders/group';
import { GroupContents } from '../folders/groupContents';
import { createKeptLinks } from '../folders/keptLinks';
import { createPads } from '../folders/pad';
import { createRecentPads } from '../folders/recentPads';
import { PadImports } from '../padImport/padImports';
import type { Ports } from '../ports';
import { ReferenceCleanup } from '../removal/referenceCleanup';
import { createRemovals } from '../removal/removals';
import { Trash } from '../removal/trash';
import type { AccessParts } from './accessParts';
import type { AccountParts } from './accountParts';
import type { Foundation } from './foundation';

export function createFolderParts(
  earlier: Foundation & AccessParts & AccountParts,
  ports: Pick<Ports, 'pads' | 'sharesDatabase' | 'uploadFolders'>,
) {
  const { configuration, database, writes } = earlier;
  const editorPads = database.guardPads(ports.pads);
  const referenceCleanup = new ReferenceCleanup(earlier);
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
  const editTimes = new EditTimes({ ...earlier, pads });
  return {
    referenceCleanup,
    removals,
    trash: new Trash({ ...earlier, removals, trashDays: () => configuration.get('trashDays') }),
    groups,
    pads,
    editTimes,
    groupContents: new GroupContents({ ...earlier, editTimes, removals }, writes),
    bookmarks: createBookmarks({ ...earlier, groups, pads }),
    recentPads: createRecentPads(earlier),
    keptLinks: createKeptLinks(earlier),
    padImports: new PadImports({
      ...earlier,
      groups,
      pads,
      removals,
      editorPads,
      uploadFolders: ports.uploadFolders,
    }),
  };
}

export type FolderParts = ReturnType<typeof createFolderParts>;
