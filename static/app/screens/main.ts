/** The screens around folders and pads, and their frame: one chunk, loaded while somebody signs in, so that no further step waits for one. */
export { PersonFrame } from '../shell/PersonFrame';
export { Bookmarks } from './bookmarks/Bookmarks';
export { AddFolder, EditFolder } from './folderForm/FolderForm';
export { Folders } from './folders/Folders';
export { FolderView } from './folderView/FolderView';
export { AddPad, EditPad } from './padForm/PadForm';
export { PadMove } from './padMove/PadMove';
export { PadView } from './padView/PadView';
export { People } from './people/People';
