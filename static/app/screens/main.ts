/**
 * The screens of folders and pads, and their layout. One chunk that is loaded during the sign-in, so that later screens
 * need not be waited for.
 */
export { PersonFrame } from '../shell/PersonFrame';
export { SignInAgain } from './access/SignInAgain';
export { Bookmarks } from './bookmarks/Bookmarks';
export { Folders } from './folders/Folders';
export { FolderView } from './folders/FolderView';
export { NotFound } from './notFound/NotFound';
export { PadView } from './padView/PadView';
