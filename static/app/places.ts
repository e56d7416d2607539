/** The places of the page, as `navigate` and Link take them. Their shapes are in mails, bookmarks and links out there: never change one. */
const id = encodeURIComponent;

export const places = {
  folders: '/mypads',
  addFolder: '/mypads/group/add',
  folder: (group: string) => `/mypads/group/${id(group)}/view`,
  editFolder: (group: string) => `/mypads/group/${id(group)}/edit`,
  /** Who uses the folder (`invite`), who administers it (`share`). */
  people: (group: string, action: 'invite' | 'share') => `/mypads/group/${id(group)}/user/${action}`,
  addPad: (group: string) => `/mypads/group/${id(group)}/pad/add`,
  pad: (group: string, pad: string) => `/mypads/group/${id(group)}/pad/view/${id(pad)}`,
  editPad: (group: string, pad: string) => `/mypads/group/${id(group)}/pad/edit/${id(pad)}`,
  /** `pads` are chosen already. */
  movePads: (group: string, pads: readonly string[] = []) =>
    [`/mypads/group/${id(group)}/pad/move`, pads.map((pad) => `pads=${id(pad)}`).join('&')]
      .filter(Boolean)
      .join('?'),
} as const;
