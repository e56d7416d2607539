/** The screens of links in mails, and of links to a folder or pad. One chunk, because one leads to the other. */
export { AskForm } from '../access/AskForm';
export { AskForLink } from './AskForLink';
export { ChoosePassword } from './ChoosePassword';
export { ConfirmAddress } from './ConfirmAddress';
export { OpenLink } from './OpenLink';
