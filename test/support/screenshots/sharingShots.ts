/** Screens of sharing: requests, invitations, links, and who can open what. */
import type { Page } from 'playwright-core';
import type { Invitation, ShownInvitation } from '../../../api/invitation/schema';
import { zipOf } from '../zips';
import type { SampleData } from './sampleData';
import { openSharing, type Shot } from './shot';

const group = ({ shared }: SampleData): string => `/mypads/group/${shared._id}`;
const sharing = (data: SampleData): string => `${group(data)}/user/invite`;
const pad = (data: SampleData): string => `${group(data)}/pad/view/${data.songs._id}`;

const choose = (page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> =>
  page.locator('main input[type=file]').first().setInputFiles(files);

/** A folder of notes, with a file that cannot become a pad. */
async function chooseNotes(page: Page): Promise<void> {
  const zip = await zipOf({
    'Class 5a/Homework for the week before the long holidays.md': '# Homework',
    'Class 5a/Trip to the sea.html': '<p>The sea</p>',
    'Class 5a/Class photo.jpg': 'x',
    'Class 5a/A letter to all parents of the whole school.docx': 'x',
    'Notes.txt': 'Notes',
  });
  await choose(page, [{ name: 'My class.zip', mimeType: 'application/zip', buffer: zip }]);
  await page.locator('main details').first().waitFor();
}

/** Invitations whose emails are in every state. */
function invitations(pad: Invitation['pad']): Invitation[] {
  const now = Date.now();
  const one = {
    pad: null,
    role: 'writer',
    sentence: '',
    lang: 'en',
    by: null,
    created: now,
    expires: now,
    mailed: null,
  };
  return (
    [
      { _id: '1', address: 'erin@example.org', mail: 'sent', mailed: now - 3 * 3600_000 },
      { _id: '2', address: 'a.very.long.address@department-of-something.example.org', mail: 'waiting' },
      { _id: '3', address: 'frank@example.org', mail: 'failed', role: 'reader', pad },
      { _id: '4', address: 'grace@example.org', mail: 'refused', role: 'manager' },
    ] as const
  ).map((invitation) => ({ ...one, ...invitation }) as Invitation);
}

const withInvitations = (page: Page, { songs: { _id, name } }: SampleData): Promise<unknown> =>
  page.route('**/api/group/*/invitations', (route) =>
    route.fulfill({ json: { value: invitations({ _id, name }), canSend: true, mailsAdded: true } }),
  );

const invitation: ShownInvitation = {
  address: 'erin@example.org',
  group: { name: 'School choir' },
  pad: null,
  by: 'Bente Dahl',
  role: 'writer',
  sentence: 'The texts of all songs are here. See you on Thursday.',
  expires: Date.now() + 12 * 24 * 3600_000,
  mayRegister: true,
};
const invited = (page: Page, own: Partial<ShownInvitation> = {}): Promise<unknown> =>
  page.route('**/api/invitations/show', (route) =>
    route.fulfill({ json: { value: { ...invitation, ...own } } }),
  );

const asks = async (page: Page): Promise<void> => {
  await page.route('**/api/group/*/requests', (route) => route.fulfill({ json: { success: true } }));
  await page.locator('main button[aria-haspopup=dialog]').click();
  await page.locator('dialog textarea').fill('I sing tenor and would like to read along.');
};

export const sharingShots: readonly Shot[] = [
  { name: 'sharing', path: sharing, as: 'lead', before: withInvitations, guide: 'share' },
  {
    name: 'sharing-end',
    path: sharing,
    as: 'lead',
    before: withInvitations,
    act: (page) => page.locator('dialog [data-who]').scrollIntoViewIfNeeded(),
  },
  {
    name: 'sharing-offer',
    path: sharing,
    as: 'lead',
    act: async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[role=combobox]').fill('erin@example.org, frank@example.org');
      await page.keyboard.press('Enter');
      await dialog.locator('button[type=submit]').click();
      await dialog.locator('textarea').waitFor();
    },
  },
  {
    name: 'sharing-links',
    path: sharing,
    as: 'lead',
    act: async (page) => {
      await page.locator('dialog [data-links]').click();
      await page.getByRole('dialog').last().locator('ul li').first().waitFor();
    },
  },
  { name: 'sharing-pad', path: pad, as: 'lead', before: withInvitations, act: openSharing },
  {
    name: 'sharing-who',
    path: sharing,
    as: 'lead',
    act: async (page) => {
      await page.locator('dialog [data-who]').click();
      await page.getByRole('dialog').last().locator('li').first().waitFor();
    },
  },
  {
    name: 'hand-over',
    path: (data) => `${group(data)}/view`,
    as: 'lead',
    act: async (page) => {
      await page.locator('main header [aria-haspopup=menu]').last().click();
      await page.locator('[role=menuitem]:has(.lucide-user-plus)').click();
      await page.locator('dialog input[name=to]').waitFor();
    },
  },
  { name: 'folders-shared', path: '/mypads', as: 'invitee' },
  { name: 'requests', path: '/myrequests', as: 'lead' },
  { name: 'requests-empty', path: '/myrequests', as: 'newcomer' },
  { name: 'import', path: '/myimport', as: 'lead' },
  { name: 'import-preview', path: '/myimport', as: 'lead', act: chooseNotes, full: true },
  {
    name: 'import-refused',
    path: '/myimport',
    as: 'lead',
    act: async (page) => {
      await choose(page, [{ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('no ZIP') }]);
      await page.locator('main [role=alert], main h2').first().waitFor();
    },
  },
  {
    name: 'import-running',
    path: '/myimport&id=x',
    as: 'lead',
    before: (page) =>
      page.route('**/api/imports/x', (route) =>
        route.fulfill({
          json: { key: 'x', state: 'running', done: 42, total: 120, groups: [], pads: [], failed: [] },
        }),
      ),
  },
  { name: 'import-gone', path: '/myimport&id=gone', as: 'lead' },
  {
    name: 'import-done',
    path: '/myimport',
    as: 'lead',
    full: true,
    act: async (page) => {
      await chooseNotes(page);
      await page.locator('main button').nth(-2).click();
      await page.locator('main a[href*=view]').first().waitFor();
    },
  },
  { name: 'trash', path: '/mytrash', as: 'lead' },
  { name: 'trash-empty', path: '/mytrash', as: 'newcomer' },
  {
    name: 'trash-question',
    path: '/mytrash',
    as: 'lead',
    act: async (page) => {
      await page.locator('main li button').nth(1).click();
      await page.locator('dialog').waitFor();
    },
  },
  { name: 'trash-remove', path: (data) => `${group(data)}/remove`, as: 'lead' },
  { name: 'request-denied', path: (data) => `${group(data)}/view`, as: 'long' },
  { name: 'request-ask', path: (data) => `${group(data)}/view`, as: 'long', act: asks },
  {
    name: 'request-sent',
    path: (data) => `${group(data)}/view`,
    as: 'long',
    act: async (page) => {
      await asks(page);
      await page.locator('dialog button[type=submit]').click();
      await page.locator('dialog').waitFor({ state: 'detached' });
    },
  },
  { name: 'invitation-guest', path: '/invitation/0123', as: 'guest', before: (page) => invited(page) },
  {
    name: 'invitation-pad',
    path: '/invitation/0123',
    as: 'guest',
    before: (page) => invited(page, { group: null, pad: { name: 'Songs' } }),
  },
  { name: 'invitation-accept', path: '/invitation/0123', as: 'newcomer', before: (page) => invited(page) },
  {
    name: 'invitation-other',
    path: '/invitation/0123',
    as: 'newcomer',
    before: async (page) => {
      await invited(page);
      const json = { error: 'BACKEND.ERROR.INVITATION.OTHER_ADDRESS' };
      await page.route('**/api/invitations/accept', (route) => route.fulfill({ status: 403, json }));
    },
    act: async (page) => {
      await page.locator('main button').first().click();
      await page.locator('[role=alert]').first().waitFor();
    },
  },
  { name: 'no-invitations', path: '/noinvitations/0123', as: 'guest' },
  { name: 'link-name', path: ({ secretOfLink }) => `/s/${secretOfLink}`, as: 'guest' },
  { name: 'link-gone', path: '/s/unknown', as: 'guest' },
];
