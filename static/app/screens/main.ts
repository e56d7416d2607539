/**
 * The screens of folders and pads, and their layout. One chunk that is loaded during the sign-in, so that later screens
 * need not be waited for.
 */
export { PersonFrame } from '../shell/PersonFrame';
export { Bookmarks } from './bookmarks/Bookmarks';
export { Folders } from './folders/Folders';
export { FolderView } from './folders/FolderView';
export { PadView } from './padView/PadView';
