/** What each public setting changes on the screens, as a table. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { heading, untilTitle, useApp } from '../support/browser';
import { checkEach } from '../support/cases';

interface Case {
  settings: Readonly<Record<string, unknown>>;
  /** Checks the screens with these settings. */
  check: () => Promise<void>;
}

describe('the settings of the server', function () {
  this.timeout(240_000);
  const app = useApp();
  const ann = app.usePerson('ann');
  let folder = '';

  before(async () => {
    folder = await app.fixture.group(ann, { name: 'Choir', tags: ['music'] });
    await app.fixture.pad(ann, folder, { name: 'Songs' });
    const body = { name: 'Sopranos', loginsOrEmails: [ann.login] };
    await app.etherpad.api('POST', 'userlist', { token: ann.token, body });
  });

  const asGuest = (path: string, language?: string): Promise<Page> => app.open(path, { language });
  const asAnn = (path: string): Promise<Page> => app.open(path, { as: ann });

  async function expectNone(page: Page, role: 'link' | 'button' | 'menuitem', name: string | RegExp) {
    expect(await page.getByRole(role, { name }).count(), `${role} ${name}`).to.equal(0);
  }

  const cases: Record<string, Case> = {
    title: {
      settings: { title: 'School pads' },
      check: async () => {
        const page = await asGuest('/login');
        await page.getByText('School pads', { exact: true }).waitFor();
        await untilTitle(page, 'Sign in | School pads');
        await untilTitle(await asAnn('/mypads'), 'Folders | School pads');
      },
    },
    'openRegistration off': {
      settings: { openRegistration: false },
      check: async () => {
        const page = await asGuest('/login');
        await page.getByLabel('Username or email').waitFor();
        await expectNone(page, 'link', 'Register');
        await app.goTo('/subscribe');
        await heading(page, 'Registration is closed').waitFor();
      },
    },
    'passwordMin and passwordMax': {
      settings: { passwordMin: 12, passwordMax: 20 },
      check: async () => {
        const page = await asGuest('/subscribe');
        await page.getByText('12 to 20 characters').first().waitFor();
        await page.getByLabel('Password', { exact: true }).fill('elevenchars');
        await page.getByRole('button', { name: 'Create account' }).click();
        await page.getByRole('link', { name: /12 to 20 characters/ }).waitFor();
        // Older passwords keep working.
        await app.goTo('/login');
        await page.getByLabel('Username or email').fill(ann.login);
        await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
        await page.keyboard.press('Enter');
        await heading(page, 'Folders').waitFor();
      },
    },
    'disableLogoutButton, disableUserProfile, disableLangageSelect: with the sidebar and with a hidden one': {
      settings: { disableLogoutButton: true, disableUserProfile: true, disableLangageSelect: true },
      check: async () => {
        const page = await asAnn('/mypads');
        for (const fold of [false, true]) {
          if (fold) await page.getByRole('button', { name: 'Hide the sidebar' }).click();
          await page.getByRole('button', { name: 'ann Test' }).click();
          await page.getByRole('menuitem', { name: 'Help' }).waitFor();
          await expectNone(page, 'menuitem', /^(Sign out|Account|Language)$/);
          await page.keyboard.press('Escape');
        }
        const guest = await asGuest('/login');
        await guest.getByRole('button', { name: 'Theme' }).waitFor();
        await expectNone(guest, 'button', 'Language');
      },
    },
    'disableUserList: neither in the menus, the search nor the share dialog, nor by address': {
      settings: { disableUserList: true },
      check: async () => {
        const page = await asAnn(`/mypads/group/${folder}/view`);
        await page.getByRole('link', { name: 'Bookmarks' }).first().waitFor();
        await expectNone(page, 'link', 'People lists');
        await page.keyboard.press('/');
        await page.getByRole('dialog').getByRole('combobox').fill('lists');
        await page.getByText('Nothing matches “lists”').waitFor();
        await page.getByRole('dialog').getByRole('combobox').fill('sopranos');
        await page.getByText('Nothing matches “sopranos”').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: /^Share/ }).click();
        const field = page.getByRole('combobox', { name: 'Add people' });
        expect(await field.getAttribute('placeholder')).to.equal('Username or email');
        for (const path of ['/myuserlists', '/myuserlists/add']) {
          const lists = await asAnn(path);
          await lists.getByText('People lists are switched off').waitFor();
          await lists.getByRole('link', { name: 'Go to your folders' }).click();
          await heading(lists, 'Folders').waitFor();
        }
      },
    },
    'hideHelpBlocks: no hints for guests and people': {
      settings: { hideHelpBlocks: true },
      check: async () => {
        const page = await asGuest('/subscribe');
        const hint = page.getByText('Others use it to invite you.');
        await page.getByLabel('Username').waitFor();
        expect([await hint.count(), await hint.isVisible()]).to.deep.equal([1, false]);
        const anns = await asAnn('/myprofile');
        await anns.getByLabel('First name').waitFor();
        const hintToAnn = anns.getByText('For this app and for emails to you.');
        expect([await hintToAnn.count(), await hintToAnn.isVisible()]).to.deep.equal([1, false]);
        expect(await anns.getByLabel('Hide hints below fields').count()).to.equal(0);
      },
    },
    useFirstLastNameInPads: {
      settings: { useFirstLastNameInPads: true },
      check: async () => {
        const page = await asAnn('/myprofile');
        await page.getByLabel('Use my colour in pads').waitFor();
        expect(await page.getByLabel('Name in pads').count()).to.equal(0);
      },
    },
    'loginMsg: in the language of the page, or else in English': {
      settings: { loginMsg: { en: '<p>Closed on <b>Sunday</b>.</p>', fr: 'Fermé le dimanche.', de: ' ' } },
      check: async () => {
        for (const [path, language, text] of [
          ['/subscribe', 'en', 'Closed on Sunday.'],
          ['/login', 'fr', 'Fermé le dimanche.'],
          ['/login', 'de', 'Closed on Sunday.'],
          ['/login', 'es', 'Closed on Sunday.'],
        ] as const) {
          await (await asGuest(path, language)).getByText(text, { exact: true }).waitFor();
          await app.close();
        }
      },
    },
    'loginMsg: blocks that are not kept stay on lines of their own': {
      settings: { loginMsg: { en: '<h1>Sunday</h1><center>Closed</center>until <i>noon</i>' } },
      check: async () => {
        const page = await asGuest('/login');
        await page.getByRole('heading', { name: 'Sunday', exact: true }).waitFor();
        const shown = await page.getByText('Closed').locator('..').innerText();
        expect(shown.split(/\n+/)).to.deep.equal(['Sunday', 'Closed', 'until noon']);
      },
    },
    'guide: off, nothing leads to it': {
      settings: { guide: false },
      check: async () => {
        const guest = await asGuest('/login');
        await guest.getByRole('link', { name: 'Administration' }).waitFor();
        await expectNone(guest, 'link', 'Help');
        const page = await asAnn('/mytrash');
        await heading(page, 'Trash').waitFor();
        expect(await page.getByRole('link', { name: /^Learn more/ }).count()).to.equal(0);
        const help = await asAnn('/help');
        await heading(help, 'Page not found').waitFor();
      },
    },
    'guidePage: first in the guide, and also without it': {
      settings: { guidePage: { en: '<p>Ask <b>Ms Park</b> in room 12.</p>', de: 'Fragen Sie Frau Park.' } },
      check: async () => {
        const page = await asGuest('/help');
        await page.getByText('Ask Ms Park in room 12.').waitFor();
        await page.getByRole('link', { name: 'Your first pad' }).waitFor();
        await (await asGuest('/help', 'de')).getByText('Fragen Sie Frau Park.').waitFor();
        await app.fixture.configure('guide', false);
        try {
          const alone = await asGuest('/login');
          await alone.getByRole('link', { name: 'Help' }).click();
          await alone.getByText('Ask Ms Park in room 12.').waitFor();
          await expectNone(alone, 'link', 'Your first pad');
        } finally {
          await app.reset('guide');
        }
      },
    },
    'loginMsg: with links to pages, and with nothing that runs': {
      settings: {
        loginMsg: {
          en: '<a href="https://example.org/">The desk</a> <a href="javascript:alert(1)">helps</a> <img src="x" alt="x">',
        },
      },
      check: async () => {
        const page = await asGuest('/login');
        await page.getByText('The desk helps').waitFor();
        await page.getByRole('link', { name: 'The desk' }).waitFor();
        await expectNone(page, 'link', 'helps');
        expect(await page.getByRole('img', { name: 'x' }).count()).to.equal(0);
      },
    },
  };

  it('change what they are for', () =>
    checkEach(cases, async ({ settings, check }) => {
      const keys = Object.keys(settings);
      try {
        for (const key of keys) await app.fixture.configure(key, settings[key]);
        await check();
      } finally {
        await app.reset(...keys);
      }
    }));
});
