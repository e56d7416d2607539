import { displayName } from '../../../components/Avatar';
import { Chip } from '../../../components/Chip';
import { TimeIcon, WarningIcon } from '../../../components/icons';
import { Menu } from '../../../components/Menu';
import { RelativeTime } from '../../../components/RelativeTime';
import { Row } from '../../../components/Rows';
import { CloseAccountIcon } from '../../../components/screenIcons';
import { useAdminSettings } from '../../../data/administration';
import { useTranslation } from '../../../texts/i18n';
import { adminPaths } from '../adminPaths';
import { Cut } from '../lists/AdminList';
import type { ListedUser } from './asked';
import { type UserQuestions, useUserActions } from './useUserQuestions';

interface UserMarksProps {
  user: Pick<ListedUser, 'closed' | 'unconfirmed' | 'addressTaken'>;
  /** The person should have a second factor, and has none. */
  lacksFactor?: boolean;
}

/** Why an account cannot be used, or what is wrong with its address or its sign-in. */
export function UserMarks({ user, lacksFactor = false }: UserMarksProps) {
  const { t } = useTranslation();
  return (
    <>
      {user.closed && (
        <Chip icon={<CloseAccountIcon />} tone="danger" title={t('admin.users.closed.help')}>
          {t('admin.users.state.closed')}
        </Chip>
      )}
      {user.unconfirmed && (
        <Chip icon={<TimeIcon />} tone="warning" title={t('admin.users.unconfirmed.help')}>
          {t('admin.users.state.unconfirmed')}
        </Chip>
      )}
      {user.addressTaken && (
        <Chip icon={<WarningIcon />} tone="warning" title={t('admin.users.addressTaken.help')}>
          {t('admin.users.state.addressTaken')}
        </Chip>
      )}
      {lacksFactor && (
        <Chip icon={<WarningIcon />} tone="warning">
          {t('admin.users.state.noFactor')}
        </Chip>
      )}
    </>
  );
}

/** The widths of the columns, for their headings too. */
export const userColumns = {
  login: { key: 'login', width: '9rem' },
  email: { key: 'email', width: '14rem' },
  time: { key: 'time', width: '7rem', wideOnly: true },
} as const;

export interface UserRowProps {
  user: ListedUser;
  /** The account in a path. */
  name: string;
  ask: UserQuestions;
}

/** Who must have a second factor, by the setting. */
export function useFactorRule(): unknown {
  return useAdminSettings().data?.settings.find(({ key }) => key === 'secondFactor')?.value;
}

/** An account in the list. */
export function UserRow({ user, name, ask }: UserRowProps) {
  const { t } = useTranslation();
  const actions = useUserActions(user, name, ask);
  const shown = displayName({ ...user, color: '' });
  const rule = useFactorRule();
  const isAsked = rule === 'everybody' || (rule === 'managers' && user.manager);
  const lacksFactor = isAsked && user.active && !user.external && !user.secondFactor;
  return (
    <Row
      href={adminPaths.editUser(name)}
      name={shown}
      muted={!user.active}
      chips={<UserMarks user={user} lacksFactor={lacksFactor} />}
      cells={[
        { ...userColumns.login, columnOnly: shown === user.login, content: <Cut text={user.login} /> },
        { ...userColumns.email, content: <Cut text={user.email} /> },
        {
          ...userColumns.time,
          content: user.ctime !== 0 && (
            <>
              <span className="visually-hidden">{t('admin.users.created.column')} </span>
              <RelativeTime time={user.ctime} />
            </>
          ),
        },
      ]}
      menu={<Menu label={t('admin.users.actions', { name: shown })} items={actions} />}
    />
  );
}
