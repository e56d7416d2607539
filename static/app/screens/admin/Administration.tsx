import { lazy, type ReactNode } from 'react';
import { LinkButton } from '../../components/Button';
import { useAdminSession } from '../../data/adminSession';
import { useTranslation } from '../../texts/i18n';
import { loadArea } from '../areas';
import { NotFound } from '../notFound/NotFound';
import { AdminFrame, AdminSignOut } from './AdminFrame';
import { AdminSignIn, AdminSignInAgain } from './AdminSignIn';
import { adminPaths } from './adminPaths';
import { Checkup } from './checkup/Checkup';
import { FirstSteps, OpenFirstSteps } from './firstSteps/FirstSteps';
import { AllFolders } from './lists/AllFolders';
import { AllPads } from './lists/AllPads';
import { AdminLog } from './log/AdminLog';
import { Numbers } from './numbers/Numbers';
import { GroupRules } from './rules/GroupRules';
import { Settings } from './settings/Settings';
import { AllTokens } from './tokens/AllTokens';
import { AddUser, EditUser } from './users/UserForm';
import { Users } from './users/Users';

/** It shares its components with the guide for people. */
const Docs = lazy(async () => {
  const [screens] = await Promise.all([import('../forms'), loadArea('account')]);
  return { default: screens.Docs };
});

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function NoSuchScreen() {
  const { t } = useTranslation();
  const settings = (
    <LinkButton kind="primary" href={adminPaths.settings}>
      {t('admin.nav.settings')}
    </LinkButton>
  );
  return <NotFound action={settings} />;
}

function screenOf(path: string): ReactNode {
  const [, login = '', action] = /^\/admin\/users\/([^/]+)\/(edit|remove)$/.exec(path) ?? [];
  if (action === 'edit') return <EditUser key={path} login={decoded(login)} />;
  if (action === 'remove') return <Users remove={decoded(login)} />;
  const [, page] = /^\/admin\/docs(?:\/([^/]+))?$/.exec(path) ?? [];
  if (page !== undefined || path === adminPaths.docs)
    return <Docs page={page} home={adminPaths.docs} pathOf={adminPaths.docsPage} />;
  switch (path) {
    case adminPaths.settings:
      return (
        <>
          <OpenFirstSteps />
          <Settings />
        </>
      );
    case adminPaths.firstSteps:
      return <FirstSteps />;
    case adminPaths.users:
      return <Users />;
    case adminPaths.addUser:
      return <AddUser />;
    case adminPaths.folders:
      return <AllFolders />;
    case adminPaths.pads:
      return <AllPads />;
    case adminPaths.rules:
      return <GroupRules />;
    case adminPaths.tokens:
      return <AllTokens />;
    case adminPaths.numbers:
      return <Numbers />;
    case adminPaths.checkup:
      return <Checkup />;
    case adminPaths.log:
      return <AdminLog />;
    default:
      return <NoSuchScreen />;
  }
}

/** The administration, with its own sign-in. People who are signed in as themselves get the sign-in too. */
export function Administration({ path }: { path: string }) {
  const { token, ended } = useAdminSession();
  if (path === adminPaths.signOut) return <AdminSignOut />;
  if (token === null && !ended) return <AdminSignIn />;
  return (
    <>
      <AdminFrame path={path}>{screenOf(path)}</AdminFrame>
      {ended && <AdminSignInAgain />}
    </>
  );
}
