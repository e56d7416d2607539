import { type ComponentType, lazy, type ReactNode, useState } from 'react';
import { Route, Switch } from 'wouter';
import type { OwnUser } from '../../api/answers';
import { useSettings } from './data/configuration';
import { signInPath } from './data/session';
import { parametersOf } from './navigation/location';
import { type LaterArea, loadArea } from './screens/areas';
import { Home, Redirect } from './screens/home/Home';
import { screenOfForms } from './screens/laterForms';
import { Login } from './screens/login/Login';
import { Logout } from './screens/login/Logout';

/* The first visit loads only the sign-in screen. */

/** A component that is loaded when it is first shown. */
function loadedOnDemand<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load() }));
}

type Main = typeof import('./screens/main');
let main: Main | undefined;

/**
 * A screen of folders and pads. If their script is there, it is shown at once: React would show a lazy component, even
 * a loaded one, only after 300 ms.
 */
function screenOfMain<Props extends object>(choose: (screens: Main) => ComponentType<Props>) {
  const Lazy: ComponentType<Props> = loadedOnDemand(async () => choose(await loadMain()));
  return function Screen(props: Props) {
    const [Shown] = useState(() => (main === undefined ? Lazy : choose(main)));
    return <Shown {...props} />;
  };
}

/** Loads a separate script that also needs the texts and styles of `main` and perhaps of another area. */
async function withMain<Module>(script: Promise<Module>, area: LaterArea = 'main'): Promise<Module> {
  const [screen] = await Promise.all([script, loadArea('main'), loadArea(area)]);
  return screen;
}

/** Loads the screens of folders and pads before they are needed. */
export async function loadMain(): Promise<Main> {
  main = await withMain(import('./screens/main'));
  return main;
}

const loadRecovery = () => withMain(import('./screens/recovery/recovery'), 'account');

const ChooseMethod = loadedOnDemand(
  async () => (await withMain(import('./screens/login/ChooseMethod'))).ChooseMethod,
);
const Subscribe = loadedOnDemand(
  async () => (await withMain(import('./screens/subscribe/Subscribe'), 'account')).Subscribe,
);
/** The administration shares components with the other screens, so it needs their styles and texts too. */
export const Administration = loadedOnDemand(
  async () => (await withMain(import('./screens/admin/Administration'), 'admin')).Administration,
);
export const PersonFrame = screenOfMain((screens) => screens.PersonFrame);
export const SignInAgain = screenOfMain((screens) => screens.SignInAgain);
const NotFound = screenOfMain((screens) => screens.NotFound);
const AskForLink = loadedOnDemand(async () => (await loadRecovery()).AskForLink);
const ChoosePassword = loadedOnDemand(async () => (await loadRecovery()).ChoosePassword);
const ConfirmAddress = loadedOnDemand(async () => (await loadRecovery()).ConfirmAddress);
const OpenInvitation = loadedOnDemand(async () => (await loadRecovery()).OpenInvitation);
const NoInvitations = loadedOnDemand(async () => (await loadRecovery()).NoInvitations);
const OpenLink = loadedOnDemand(async () => (await loadRecovery()).OpenLink);
const Account = screenOfForms((forms) => forms.Account);
export const SecondStep = screenOfForms((forms) => forms.SecondStep);
const Guide = screenOfForms((forms) => forms.Guide);
const Folders = screenOfMain((screens) => screens.Folders);
const Bookmarks = screenOfMain((screens) => screens.Bookmarks);
const AddFolder = screenOfForms((forms) => forms.AddFolder);
const EditFolder = screenOfForms((forms) => forms.EditFolder);
const FolderView = screenOfMain((screens) => screens.FolderView);
const AddPad = screenOfForms((forms) => forms.AddPad);
const EditPad = screenOfForms((forms) => forms.EditPad);
const PadView = screenOfMain((screens) => screens.PadView);
const Requests = screenOfForms((forms) => forms.Requests);
const Search = screenOfForms((forms) => forms.Search);
const Exports = screenOfForms((forms) => forms.Exports);
const Import = screenOfForms((forms) => forms.Import);
const Trash = screenOfForms((forms) => forms.Trash);
const UserLists = screenOfForms((forms) => forms.UserLists);
const EditUserList = screenOfForms((forms) => forms.EditUserList);

/** The sign-in screen. */
function SignIn() {
  const { signInMethods } = useSettings();
  // Somebody whom a service sends back that was removed meanwhile is told so.
  const [isSentBack] = useState(() => /&(oidc|ticket)=/.test(location.search));
  const typed = !isSentBack && signInMethods.every(({ proof }) => proof === 'typed');
  return typed ? <Login prepare={loadMain} /> : <ChooseMethod />;
}

type Parameters = Readonly<Record<string, string>>;

interface Screen {
  path: string;
  show: (parameters: Parameters) => ReactNode;
}

/** Screens that guests can open too. The server decides what guests see on them. */
const forEverybody: readonly Screen[] = [
  { path: '/', show: () => <Home /> },
  { path: '/login', show: () => <SignIn /> },
  { path: '/logout', show: () => <Logout /> },
  { path: '/subscribe', show: () => <Subscribe /> },
  { path: '/passrecover', show: () => <AskForLink /> },
  { path: '/passrecover/:token', show: ({ token = '' }) => <ChoosePassword token={token} /> },
  { path: '/accountconfirm/:token', show: ({ token = '' }) => <ConfirmAddress token={token} /> },
  { path: '/s', show: () => <OpenLink secret="" /> },
  { path: '/s/:secret', show: ({ secret = '' }) => <OpenLink secret={secret} /> },
  { path: '/invitation', show: () => <OpenInvitation token="" /> },
  { path: '/invitation/:token', show: ({ token = '' }) => <OpenInvitation token={token} /> },
  { path: '/noinvitations', show: () => <NoInvitations token="" /> },
  { path: '/noinvitations/:token', show: ({ token = '' }) => <NoInvitations token={token} /> },
  { path: '/help', show: () => <Guide /> },
  { path: '/help/:page', show: ({ page }) => <Guide page={page} /> },
  { path: '/mypads/group/:group/view', show: ({ group = '' }) => <FolderView group={group} /> },
  {
    path: '/mypads/group/:group/pad/view/:pad',
    show: ({ group = '', pad = '' }) => <PadView group={group} pad={pad} />,
  },
];

interface OwnScreen {
  path: string;
  show: (parameters: Parameters, user: OwnUser) => ReactNode;
  /** A field of it may have the focus first. */
  startsInField?: true;
}

/** Screens of a signed-in person. A guest is asked to sign in and then returns to the screen. */
const ownScreens: readonly OwnScreen[] = [
  { path: '/mypads', show: (_, user) => <Folders user={user} /> },
  { path: '/mypads/group', show: (_, user) => <Folders user={user} /> },
  { path: '/mypads/group/list', show: (_, user) => <Folders user={user} /> },
  { path: '/mybookmarks', show: (_, user) => <Bookmarks self={user._id} /> },
  { path: '/myprofile', show: (_, user) => <Account user={user} /> },
  { path: '/myrequests', show: () => <Requests /> },
  { path: '/mysearch', show: () => <Search />, startsInField: true },
  { path: '/myexports', show: () => <Exports /> },
  { path: '/myimport', show: () => <Import /> },
  { path: '/mytrash', show: () => <Trash /> },
  { path: '/myuserlists', show: () => <UserLists /> },
  { path: '/myuserlists/add', show: () => <EditUserList />, startsInField: true },
  { path: '/myuserlists/:key/edit', show: ({ key = '' }) => <EditUserList list={key} /> },
  { path: '/myuserlists/:key/remove', show: ({ key = '' }) => <UserLists remove={key} /> },
  { path: '/mypads/group/add', show: () => <AddFolder />, startsInField: true },
  { path: '/mypads/group/:group/edit', show: ({ group = '' }) => <EditFolder group={group} /> },
  {
    path: '/mypads/group/:group/remove',
    show: ({ group = '' }) => <FolderView group={group} ask="remove" />,
  },
  {
    path: '/mypads/group/:group/user/:action',
    show: ({ group = '', action }) => (
      <FolderView group={group} ask={{ share: action === 'invite' ? 'users' : 'admins' }} />
    ),
    startsInField: true,
  },
  {
    path: '/mypads/group/:group/pad/add',
    show: ({ group = '' }) => <AddPad group={group} />,
    startsInField: true,
  },
  {
    path: '/mypads/group/:group/pad/move',
    show: ({ group = '' }) => (
      <FolderView group={group} ask={{ about: 'move', pads: parametersOf(location.search).getAll('pads') }} />
    ),
  },
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

/**
 * `card`: signing in, registering, and the links of mails. `admin`: the administration, which has routes of its own.
 * `page`: everything else.
 */
export type Frame = 'card' | 'admin' | 'page';

export function frameOf(path: string): Frame {
  if (path === '/admin' || path.startsWith('/admin/')) return 'admin';
  return /^\/(login|logout|subscribe|passrecover(\/.*)?|accountconfirm\/.*|s(\/.*)?|(no)?invitations?(\/.*)?)?$/.test(
    path,
  )
    ? 'card'
    : 'page';
}

const fits = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path);

/** Whether a field of the screen may have the focus first: its own, or that of a sign-in. */
export const startsInField = (path: string, isSignedIn: boolean): boolean =>
  frameOf(path) !== 'page' ||
  ownScreens.some((screen) => (screen.startsInField || !isSignedIn) && fits(screen.path, path));

export interface RoutesProps {
  path: string;
  /** The signed-in person. */
  user: OwnUser | undefined;
}

/** The screen of the current route. Each route has a screen of its own and shares no state with others. */
export function Routes({ path, user }: RoutesProps) {
  const own = ownScreens.map(
    ({ path, show }): Screen => ({
      path,
      show: (parameters) => (user === undefined ? <Redirect to={signInPath()} /> : show(parameters, user)),
    }),
  );
  return (
    <Switch key={path}>
      {[...forEverybody, ...own].map((screen) => (
        <Route key={screen.path} path={screen.path}>
          {screen.show}
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
