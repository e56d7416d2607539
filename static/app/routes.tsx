import { type ComponentType, lazy, type ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import type { OwnUser } from '../../api/wire';
import { signInPlace } from './data/session';
import { Home, Redirect } from './screens/home/Home';
import { Login } from './screens/login/Login';
import { Logout } from './screens/login/Logout';
import { NotFound } from './screens/notFound/NotFound';

/* The first visit loads the sign-in screen and nothing else. */

/** A component that is loaded when it is first shown. */
function later<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load() }));
}

/** Fetches the screens around folders and pads, before they are needed. */
export const loadMain = () => import('./screens/main');

const Subscribe = later(async () => (await import('./screens/subscribe/Subscribe')).Subscribe);
export const PersonFrame = later(async () => (await loadMain()).PersonFrame);
const Folders = later(async () => (await loadMain()).Folders);
const Bookmarks = later(async () => (await loadMain()).Bookmarks);
const AddFolder = later(async () => (await loadMain()).AddFolder);
const EditFolder = later(async () => (await loadMain()).EditFolder);
const FolderView = later(async () => (await loadMain()).FolderView);
const People = later(async () => (await loadMain()).People);
const AddPad = later(async () => (await loadMain()).AddPad);
const EditPad = later(async () => (await loadMain()).EditPad);
const PadMove = later(async () => (await loadMain()).PadMove);
const PadView = later(async () => (await loadMain()).PadView);

type Parameters = Readonly<Record<string, string>>;

interface Screen {
  path: string;
  show: (parameters: Parameters) => ReactNode;
}

/** Screens that guests see too; what they may see there, the server says. */
const forEverybody: readonly Screen[] = [
  { path: '/', show: () => <Home /> },
  { path: '/login', show: () => <Login prepare={loadMain} /> },
  { path: '/logout', show: () => <Logout /> },
  { path: '/subscribe', show: () => <Subscribe /> },
  { path: '/mypads/group/:group/view', show: ({ group = '' }) => <FolderView group={group} /> },
  {
    path: '/mypads/group/:group/pad/view/:pad',
    show: ({ group = '', pad = '' }) => <PadView group={group} pad={pad} />,
  },
];

/** Screens of somebody who is signed in; a guest is asked to sign in first and comes back. */
function screensOf(user: OwnUser): readonly Screen[] {
  const folders = <Folders user={user} />;
  return [
    { path: '/mypads', show: () => folders },
    { path: '/mypads/group', show: () => folders },
    { path: '/mypads/group/list', show: () => folders },
    { path: '/mybookmarks', show: () => <Bookmarks self={user._id} /> },
    { path: '/mypads/group/add', show: () => <AddFolder /> },
    { path: '/mypads/group/:group/edit', show: ({ group = '' }) => <EditFolder group={group} /> },
    {
      path: '/mypads/group/:group/remove',
      show: ({ group = '' }) => <FolderView group={group} ask="remove" />,
    },
    {
      path: '/mypads/group/:group/user/:action',
      show: ({ group = '', action = '' }) => <People group={group} action={action} />,
    },
    { path: '/mypads/group/:group/pad/add', show: ({ group = '' }) => <AddPad group={group} /> },
    { path: '/mypads/group/:group/pad/move', show: ({ group = '' }) => <PadMove group={group} /> },
    {
      path: '/mypads/group/:group/pad/edit/:pad',
      show: ({ group = '', pad = '' }) => <EditPad group={group} pad={pad} />,
    },
    {
      path: '/mypads/group/:group/pad/remove/:pad',
      show: ({ group = '', pad = '' }) => <FolderView group={group} ask={{ about: 'remove', pad }} />,
    },
    {
      path: '/mypads/group/:group/pad/remove/chat/history/:pad',
      show: ({ group = '', pad = '' }) => (
        <FolderView group={group} ask={{ about: 'removeChatHistory', pad }} />
      ),
    },
  ];
}

/** Paths of the screens above, to know them without a person. */
const guarded = ['/mypads', '/mypads/group', '/mypads/group/*', '/mybookmarks'];

/** `card`: signing in and registering. `page`: everything else. */
export type Frame = 'card' | 'page';

export function frameOf(path: string): Frame {
  return ['/', '/login', '/logout', '/subscribe'].includes(path) ? 'card' : 'page';
}

export interface RoutesProps {
  path: string;
  /** The person who is signed in. */
  user: OwnUser | undefined;
}

/** The screen of the current route. Each route is a screen of its own: nothing of one is left in the next. */
export function Routes({ path, user }: RoutesProps) {
  const screens = user === undefined ? forEverybody : [...forEverybody, ...screensOf(user)];
  return (
    <Switch key={path}>
      {screens.map((screen) => (
        <Route key={screen.path} path={screen.path}>
          {screen.show}
        </Route>
      ))}
      {user === undefined &&
        guarded.map((one) => (
          <Route key={one} path={one}>
            <Redirect to={signInPlace()} />
          </Route>
        ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
