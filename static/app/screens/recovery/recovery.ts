/** The screens of links in mails. One chunk, because one leads to the other. */
export { AskForLink } from './AskForLink';
export { ChoosePassword } from './ChoosePassword';
export { ConfirmAddress } from './ConfirmAddress';
