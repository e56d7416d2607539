import { CatchTyping } from '../../components/CatchTyping';
import { later } from '../laterForms';

export const HandOverDialog = later((forms) => forms.HandOverDialog, <CatchTyping forDialog />);
export const ExportDialog = later((forms) => forms.ExportDialog, <CatchTyping forDialog />);
export const MovePads = later((forms) => forms.MovePads, <CatchTyping forDialog />);
export const OwnLinks = later((forms) => forms.OwnLinks);
export const TagFolders = later((forms) => forms.TagFolders, <CatchTyping forDialog />);
