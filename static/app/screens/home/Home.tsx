import { useEffect } from 'react';
import { useUser } from '../../data/queries';
import { signInPlace } from '../../data/session';
import { navigate } from '../../location';
import { places } from '../../places';

/** Goes on to another place at once; Back does not come here again. */
export function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}

/** `/`: the folders, or the sign-in screen. */
export function Home() {
  const user = useUser();
  return <Redirect to={user === undefined ? signInPlace('/') : places.folders} />;
}
