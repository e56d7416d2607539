/** Screens that are mostly forms, and the form for sharing. One chunk: each more would split `main` into more files. */
export { Account } from './account/Account';
export { ExportDialog } from './exports/ExportForm';
export { Exports } from './exports/Exports';
export { SecondStep } from './factors/SecondStep';
export { AddFolder, EditFolder } from './folders/FolderForm';
export { Docs } from './guide/Docs';
export { Guide } from './guide/Guide';
export { AddPad, EditPad } from './padForm/PadForm';
export { Import } from './padImport/Import';
export { MovePads } from './padMove/MovePads';
export { Requests } from './requests/Requests';
export { Search } from './search/Search';
export { HandOverDialog } from './sharing/HandOver';
export { OwnLinks } from './sharing/OwnLinks';
export { ShareForm } from './sharing/ShareForm';
export { Trash } from './trash/Trash';
export { EditUserList } from './userLists/EditUserList';
export { UserLists } from './userLists/UserLists';
