/** The paths of all screens. Mails, bookmarks and links contain them: never change their form. */
const id = encodeURIComponent;

export const paths = {
  folders: '/mypads',
  account: '/myprofile',
  /** The guide for people. */
  help: '/help',
  helpPage: (page: string) => `/help/${page}`,
  userLists: '/myuserlists',
  addUserList: '/myuserlists/add',
  editUserList: (key: string) => `/myuserlists/${id(key)}/edit`,
  /** The requests for access to folders that the person manages. */
  requests: '/myrequests',
  /** The search in texts. */
  search: '/mysearch',
  trash: '/mytrash',
  exports: '/myexports',
  import: '/myimport',
  /** Links that open a folder or pad. */
  links: '/s',
  link: (secret: string) => `/s/${id(secret)}`,
  /** The links of an invitation, without their tokens. */
  invitation: '/invitation',
  noInvitations: '/noinvitations',
  addFolder: '/mypads/group/add',
  folder: (group: string) => `/mypads/group/${id(group)}/view`,
  editFolder: (group: string) => `/mypads/group/${id(group)}/edit`,
  addPad: (group: string) => `/mypads/group/${id(group)}/pad/add`,
  pad: (group: string, pad: string) => `/mypads/group/${id(group)}/pad/view/${id(pad)}`,
  editPad: (group: string, pad: string) => `/mypads/group/${id(group)}/pad/edit/${id(pad)}`,
} as const;

/** The folder of a pad in paths. `-` stands for a folder that the person does not see, as in Etherpad's own page. */
export const folderOf = ({ group }: { group: string | null }): string => group ?? '-';
