import { useEffect } from 'react';
import { readAdminSession } from '../../data/adminSession';
import { useUser } from '../../data/configuration';
import { signInPath } from '../../data/session';
import { navigate } from '../../navigation/location';
import { paths } from '../../navigation/paths';

/** Redirects to another path, so that Back does not return here. */
export function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}

/** `/`: the administration, the folders, or the sign-in screen. */
export function Home() {
  const user = useUser();
  if (readAdminSession().token !== null) return <Redirect to="/admin" />;
  return <Redirect to={user === undefined ? signInPath('/') : paths.folders} />;
}
