import { CatchTyping } from '../../components/CatchTyping';
import { later } from '../laterForms';

export const HandOverDialog = later((forms) => forms.HandOverDialog, <CatchTyping />);
export const ExportDialog = later((forms) => forms.ExportDialog, <CatchTyping />);
export const MovePads = later((forms) => forms.MovePads, <CatchTyping />);
export const OwnLinks = later((forms) => forms.OwnLinks);
