import { later } from '../laterForms';
import { LoadingShareForm } from './LoadingShareForm';

/** The form in the dialog. */
export const LoadedShareForm = later((forms) => forms.ShareForm, <LoadingShareForm />);
