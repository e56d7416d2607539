/** The screens of a signed-in person that are mostly forms. One chunk: each more would split `main` into more files. */
export { Account } from './account/Account';
export { AddFolder, EditFolder } from './folderForm/FolderForm';
export { AddPad, EditPad } from './padForm/PadForm';
export { EditUserList } from './userLists/EditUserList';
export { UserLists } from './userLists/UserLists';
