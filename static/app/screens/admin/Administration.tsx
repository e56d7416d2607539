import type { ReactNode } from 'react';
import { useAdminSession } from '../../data/adminSession';
import { NotFound } from '../notFound/NotFound';
import { AdminFrame, AdminSignOut } from './AdminFrame';
import { AdminSignIn, AdminSignInAgain } from './AdminSignIn';
import { adminPlaces } from './adminPlaces';
import { Checkup } from './checkup/Checkup';
import { FirstSteps, OpenFirstSteps } from './firstSteps/FirstSteps';
import { AllFolders } from './lists/AllFolders';
import { AllPads } from './lists/AllPads';
import { AdminLog } from './log/AdminLog';
import { Numbers } from './numbers/Numbers';
import { Settings } from './settings/Settings';
import { AddUser, EditUser } from './users/UserForm';
import { Users } from './users/Users';

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function screenOf(path: string): ReactNode {
  const [, login = '', action] = /^\/admin\/users\/([^/]+)\/(edit|remove)$/.exec(path) ?? [];
  if (action === 'edit') return <EditUser key={path} login={decoded(login)} />;
  if (action === 'remove') return <Users remove={decoded(login)} />;
  switch (path) {
    case adminPlaces.settings:
      return (
        <>
          <OpenFirstSteps />
          <Settings />
        </>
      );
    case adminPlaces.firstSteps:
      return <FirstSteps />;
    case adminPlaces.users:
      return <Users />;
    case adminPlaces.addUser:
      return <AddUser />;
    case adminPlaces.folders:
      return <AllFolders />;
    case adminPlaces.pads:
      return <AllPads />;
    case adminPlaces.numbers:
      return <Numbers />;
    case adminPlaces.checkup:
      return <Checkup />;
    case adminPlaces.log:
      return <AdminLog />;
    default:
      return <NotFound />;
  }
}

/** The administration, with its own sign-in. People who are signed in as themselves get the sign-in too. */
export function Administration({ path }: { path: string }) {
  const { token, ended } = useAdminSession();
  if (path === adminPlaces.signOut) return <AdminSignOut />;
  if (token === null && !ended) return <AdminSignIn />;
  return (
    <>
      <AdminFrame path={path}>{screenOf(path)}</AdminFrame>
      {ended && <AdminSignInAgain />}
    </>
  );
}
