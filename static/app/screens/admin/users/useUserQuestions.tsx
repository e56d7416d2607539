import { type ReactNode, useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog';
import { Dialog } from '../../../components/Dialog';
import type { MenuItem } from '../../../components/Menu';
import {
  CloseAccountIcon,
  DownloadIcon,
  EditIcon,
  FolderIcon,
  OpenAccountIcon,
  PrivateIcon,
  RemoveIcon,
  SignOutIcon,
} from '../../../components/screenIcons';
import { toasts, useErrorToast } from '../../../components/Toasts';
import {
  asAdministrator,
  useEndSessions,
  useResetFactors,
  useSaveAccount,
} from '../../../data/administration';
import { withParameters } from '../../../navigation/location';
import { translate, useTranslation } from '../../../texts/i18n';
import { ExportForm } from '../../exports/ExportForm';
import { adminPaths } from '../adminPaths';
import { type AskedUser, nameOfUser } from './asked';
import { RemoveUser } from './RemoveUser';

export interface UserQuestions {
  endSessions: (user: AskedUser, name: string) => void;
  resetFactors: (user: AskedUser, name: string) => void;
  exportData: (user: AskedUser, name: string) => void;
  remove: (user: AskedUser, name: string) => void;
}

type Question = { what: keyof UserQuestions; user: AskedUser; name: string };

/** Dialogs about accounts. `onRemoved` is called after an account was removed. */
export function useUserQuestions(onRemoved?: () => void): { questions: UserQuestions; dialog: ReactNode } {
  const [question, setQuestion] = useState<Question | null>(null);
  const questions = useMemo<UserQuestions>(
    () => ({
      endSessions: (user, name) => setQuestion({ what: 'endSessions', user, name }),
      resetFactors: (user, name) => setQuestion({ what: 'resetFactors', user, name }),
      exportData: (user, name) => setQuestion({ what: 'exportData', user, name }),
      remove: (user, name) => setQuestion({ what: 'remove', user, name }),
    }),
    [],
  );
  const close = (): void => setQuestion(null);
  let dialog: ReactNode = null;
  if (question?.what === 'remove')
    dialog = <RemoveUser user={question.user} name={question.name} onDone={onRemoved} onClose={close} />;
  else if (question?.what === 'exportData') dialog = <ExportData {...question} onClose={close} />;
  else if (question) dialog = <Confirmation {...question} what={question.what} onClose={close} />;
  return { questions, dialog };
}

/** What has one question and one call. */
const confirmed = {
  endSessions: 'admin.users.endSessions',
  resetFactors: 'admin.users.factors.reset',
} as const;

interface ConfirmationProps {
  what: keyof typeof confirmed;
  user: AskedUser;
  name: string;
  onClose: () => void;
}

function Confirmation({ what, user, name, onClose }: ConfirmationProps) {
  const { t } = useTranslation();
  const calls = { endSessions: useEndSessions(), resetFactors: useResetFactors() };
  const text = confirmed[what];
  const shown = nameOfUser(user);
  return (
    <ConfirmDialog
      title={t(`${text}.title`, { name: shown })}
      action={t(`${text}.submit`)}
      onClose={onClose}
      onConfirm={() => calls[what].mutateAsync(name)}
      done={t(`${text}.done`, { name: shown })}
    >
      <p>{t(`${text}.text`)}</p>
    </ConfirmDialog>
  );
}

interface ExportDataProps {
  user: AskedUser;
  name: string;
  onClose: () => void;
}

/** All data of a person, for their right of access. */
function ExportData({ user, name, onClose }: ExportDataProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('exports.person')} onClose={onClose}>
      <ExportForm
        of={{ person: { login: name, name: nameOfUser(user) } }}
        caller={asAdministrator}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** Closes or opens an account at once, and shows a message with a button that undoes it. */
function useActivation(user: AskedUser, name: string): () => Promise<void> {
  const { mutateAsync } = useSaveAccount();
  const showError = useErrorToast();
  const set = async (active: boolean, undo: boolean): Promise<void> => {
    const shown = nameOfUser(user);
    try {
      await mutateAsync({ login: name, body: { active } });
      const text = active
        ? translate('admin.users.opened', { name: shown })
        : translate('admin.users.closed', { name: shown });
      const action = { label: translate('action.undo'), run: () => void set(!active, false) };
      toasts.success(text, undo ? { action } : {});
    } catch (error) {
      showError(error);
    }
  };
  return () => set(!user.active, true);
}

/** The menu of an account. `editing`: on the screen of the account itself. */
export function useUserActions(
  user: AskedUser,
  name: string,
  ask: UserQuestions,
  editing = false,
): readonly MenuItem[] {
  const { t } = useTranslation();
  const activate = useActivation(user, name);
  return [
    !editing && { label: t('admin.users.edit'), icon: <EditIcon />, href: adminPaths.editUser(name) },
    {
      label: t('admin.users.folders'),
      icon: <FolderIcon />,
      href: withParameters(adminPaths.folders, { person: name }),
    },
    {
      label: user.active ? t('admin.users.close') : t('admin.users.open'),
      icon: user.active ? <CloseAccountIcon /> : <OpenAccountIcon />,
      onSelect: () => void activate(),
    },
    {
      label: t('admin.users.endSessions'),
      icon: <SignOutIcon />,
      onSelect: () => ask.endSessions(user, name),
    },
    user.secondFactor !== false && {
      label: t('admin.users.factors.reset.submit'),
      icon: <PrivateIcon />,
      onSelect: () => ask.resetFactors(user, name),
    },
    { label: t('exports.person'), icon: <DownloadIcon />, onSelect: () => ask.exportData(user, name) },
    'line',
    {
      label: t('admin.users.remove'),
      icon: <RemoveIcon />,
      danger: true,
      onSelect: () => ask.remove(user, name),
    },
  ];
}
