/** The paths of the administration. Those of settings and users are the same as in ep_mypads 1.x. */
const id = encodeURIComponent;

export const adminPaths = {
  settings: '/admin',
  signOut: '/admin/logout',
  users: '/admin/users',
  addUser: '/admin/users/create',
  editUser: (login: string) => `/admin/users/${id(login)}/edit`,
  folders: '/admin/folders',
  pads: '/admin/pads',
  rules: '/admin/group-rules',
  tokens: '/admin/tokens',
  numbers: '/admin/numbers',
  checkup: '/admin/checkup',
  log: '/admin/log',
  firstSteps: '/admin/first-steps',
  docs: '/admin/docs',
  /** A page of docs/, perhaps with a heading: `mail#test-it`. */
  docsPage: (page: string) => `/admin/docs/${page}`,
} as const;
