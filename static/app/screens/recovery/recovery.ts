/** The screens of links in mails, and of links to a folder or pad. One chunk, because one leads to the other. */
export { AskForm } from '../access/AskForm';
export { NoInvitations } from '../invitation/NoInvitations';
export { OpenInvitation } from '../invitation/OpenInvitation';
export { AskForLink } from './AskForLink';
export { ChoosePassword } from './ChoosePassword';
export { ConfirmAddress } from './ConfirmAddress';
export { OpenLink } from './OpenLink';
