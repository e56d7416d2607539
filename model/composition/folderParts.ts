/** Accounts, folders and pads: records and the index of all, lists, bookmarks, and their removal. */
import { createUsers } from '../accounts/user';
import { createBookmarks } from '../folders/bookmark';
import { EditTimes } from '../folders/editTimes';
import { createGroups } from '../folders/group';
import { GroupContents } from '../folders/groupContents';
import { createKeptLinks } from '../folders/keptLinks';
import { createPads } from '../folders/pad';
import { createRecentPads } from '../folders/recentPads';
import { createRecordIndex } from '../index/recordIndex';
import { PadImports } from '../padImport/padImports';
import type { Ports } from '../ports';
import { ReferenceCleanup } from '../removal/referenceCleanup';
import { createRemovals } from '../removal/removals';
import { Trash } from '../removal/trash';
import type { AccessParts } from './accessParts';
import type { Foundation } from './foundation';

/** Starts to complete the index of names, and then to read all records. */
export function createFolderParts(
  given: Foundation & AccessParts,
  ports: Pick<Ports, 'openIndex' | 'indexTimeLimit' | 'pads' | 'sharesDatabase' | 'uploadFolders'>,
) {
  const { openIndex, indexTimeLimit } = ports;
  const recordIndex = createRecordIndex({
    ...given,
    openIndex,
    indexTimeLimit,
    offered: given.methods.names,
    databaseId: given.tokens.ofDevice(['the index']),
  });
  given.events.on('index', () => void recordIndex.rebuild());
  given.writes.onWritten((key, value, failed) => {
    if (!failed) recordIndex.recordWritten(key, value);
  });
  const users = createUsers({ ...given, recordIndex });
  const earlier = { ...given, recordIndex, users };
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
    recordIndex,
    users,
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
