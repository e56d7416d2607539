/** Screens of exports: the question, how far one is, and the list of one's own. */
import type { Page } from 'playwright-core';
import type { ExportAnswer } from '../../../api/export/schema';
import type { SampleData } from './sampleData';
import { failing, type Shot } from './shot';

const folder = ({ shared }: SampleData): string => `/mypads/group/${shared._id}/view`;
const now = Date.now();
const one = { created: now, until: now + 24 * 3600_000 };

const all: readonly ExportAnswer[] = [
  { ...one, _id: '1', about: 'group', name: 'Class 5b', state: 'working', done: 37, total: 120 },
  {
    ...one,
    _id: '2',
    about: 'account',
    name: 'ada.lovelace',
    state: 'ready',
    size: 3_400_000,
    pads: 82,
    leftOut: 3,
  },
  { ...one, _id: '3', about: 'pads', name: null, state: 'ready', size: 48_200, pads: 4, leftOut: 0 },
  {
    ...one,
    _id: '4',
    about: 'group',
    name: 'Minutes of the working group for the renovation of the gymnasium',
    state: 'failed',
    error: 'BACKEND.ERROR.EXPORT.NOT_STORED',
  },
];

const withExports =
  (list: readonly ExportAnswer[]) =>
  (page: Page): Promise<unknown> =>
    page.route('**/api/exports', (route) => route.fulfill({ json: { value: list } }));

/** The export in the dialog is in this state. */
const withState = async (page: Page, value: ExportAnswer | undefined): Promise<void> => {
  await page.route('**/api/exports', (route) => route.fulfill({ json: { success: true, key: '1', value } }));
  await page.route('**/api/exports/*', (route) => route.fulfill({ json: { value } }));
};

async function openQuestion(page: Page): Promise<void> {
  await page.locator('main header [aria-haspopup=menu]').last().click();
  await page.locator('[role=menuitem]:has(.lucide-download)').click();
  await page.locator('dialog input[name=chat]').waitFor();
}

const shotOf = (name: string, value: ExportAnswer | undefined): Shot => ({
  name: `export-${name}`,
  path: folder,
  as: 'lead',
  before: (page) => withState(page, value),
  act: async (page) => {
    await openQuestion(page);
    await page.locator('dialog button[type=submit]').click();
    await page.locator('dialog input[name=chat]').waitFor({ state: 'detached' });
  },
});

export const exportShots: readonly Shot[] = [
  { name: 'export-question', path: folder, as: 'lead', act: openQuestion },
  shotOf('working', all[0]),
  shotOf('ready', all[1]),
  shotOf('failed', all[3]),
  { name: 'exports', path: '/myexports', before: withExports(all) },
  { name: 'exports-empty', path: '/myexports', before: withExports([]) },
  { name: 'exports-unreachable', path: '/myexports', before: (page) => failing(page, 'exports') },
];
