/** Links of ep_mypads 1.x, as they are in mails and bookmarks: each one opens its screen, or its question. */
import type { Page } from 'playwright-core';
import { heading, useApp } from '../support/browser';
import { checkEach } from '../support/cases';
import type { Person } from '../support/hostFixture';

describe('links of 1.x', function () {
  this.timeout(240_000);
  const app = useApp();
  let ann: Person;
  const ids = { folder: '', pad: '', list: '' };

  before(async () => {
    const { fixture, etherpad } = app;
    ann = await fixture.person('ann');
    ids.folder = await fixture.group(ann, { name: 'Choir' });
    // 1.x has made ids that begin with a hyphen, and a folder that pads can move to must exist.
    await fixture.group(ann, { name: 'Другая' });
    ids.pad = await fixture.pad(ann, ids.folder, { name: 'Songs' });
    const body = { name: 'Sopranos', loginsOrEmails: [ann.login] };
    const list = await etherpad.api('POST', 'userlist', { token: ann.token, body });
    ids.list = (list.body as { key: string }).key;
  });

  const screen = (name: string) => (page: Page) => heading(page, name).waitFor();
  const dialog = (name: string) => (page: Page) => page.getByRole('dialog', { name }).waitFor();
  const sharing = (role: string) => async (page: Page) => {
    await dialog('Share “Choir”')(page);
    const chosen = page.getByLabel('Role of the people to add').locator('option:checked');
    await chosen.and(page.getByText(role)).waitFor({ state: 'attached' });
  };

  type Links = [address: string, check: (page: Page) => Promise<void>][];

  /**
   * `folder`, `pad` and `list` in an address stand for their ids. An address that differs from others only in its query
   * is opened in the page that is there, as by a link in it: a load takes much longer.
   */
  async function expectEach(links: Links, page: Page): Promise<void> {
    let loaded: string | undefined;
    await checkEach(links, async (check, address) => {
      const real = address
        .replace('FOLDER', ids.folder)
        .replace('PAD', ids.pad)
        .replace('LIST', ids.list)
        .replace('ANN', ann.login);
      const [file = ''] = real.split('?');
      if (loaded === file && real.includes('?'))
        await page.evaluate((href) => {
          history.pushState(history.state, '', href);
          dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
        }, `/mypads/${real}`);
      else await page.goto(`/mypads/${real}`);
      loaded = file;
      await check(page);
    });
  }

  it('open for a person who is signed in', async () => {
    const { page } = await app.window({ as: ann });
    await expectEach(
      [
        ['', screen('Folders')],
        ['?/', screen('Folders')],
        ['?/mypads', screen('Folders')],
        ['?/mypads/group', screen('Folders')],
        ['?/mypads/group/list', screen('Folders')],
        ['?/mybookmarks', screen('Bookmarks')],
        ['?/myprofile', screen('Account')],
        ['?/myuserlists', screen('People lists')],
        ['?/myuserlists/add', screen('New list')],
        ['?/myuserlists/LIST/edit', screen('Edit list')],
        ['?/myuserlists/LIST/remove', dialog('Delete the list “Sopranos”?')],
        ['?/mypads/group/add', screen('New folder')],
        ['?/mypads/group/FOLDER/view', screen('Choir')],
        ['?/mypads/group/FOLDER/edit', screen('Edit folder')],
        ['?/mypads/group/FOLDER/remove', dialog('Delete the folder “Choir”?')],
        ['?/mypads/group/FOLDER/user/invite', sharing('Writer')],
        ['?/mypads/group/FOLDER/user/share', sharing('Manager')],
        ['?/mypads/group/FOLDER/pad/add', screen('New pad')],
        ['?/mypads/group/FOLDER/user/anything', sharing('Manager')],
        ['?/mypads/group/FOLDER/pad/move', dialog('Move pads')],
        ['?/mypads/group/FOLDER/pad/view/PAD', screen('Songs')],
        ['?/mypads/group/FOLDER/pad/edit/PAD', screen('Pad settings')],
        ['?/mypads/group/FOLDER/pad/remove/PAD', dialog('Delete the pad “Songs”?')],
        ['?/mypads/group/FOLDER/pad/remove/chat/history/PAD', dialog('Delete the chat history of “Songs”?')],
        // Mail programs and chats escape slashes, or add an equals sign.
        ['?%2Fmypads%2Fgroup%2FFOLDER%2Fview', screen('Choir')],
        ['?/mypads/group/-l759d2p/view', (page) => page.getByText('Folder not found').waitFor()],
        ['?/mypads/group/FOLDER/view=', screen('Choir')],
        ['index.html', screen('Folders')],
        ['index.html?/mypads/group/FOLDER/user/invite', sharing('Writer')],
        ['index.html?/mypads/group/FOLDER/pad/view/PAD', screen('Songs')],
        ['?/mybookmarks', screen('Bookmarks')],
        ['?/logout', screen('Sign in')],
      ],
      page,
    );
  });

  it('that ask about something that does not exist say so, and lead to the list', async () => {
    // One of the links above has signed out.
    const as = { ...ann, ...(await app.fixture.signIn(ann.login)) };
    const empty = await app.fixture.group(as, { name: 'Empty' });
    const { page } = await app.window({ as, adminToken: await app.signInAsAdmin() });
    const says = (text: string, address: string) => async () => {
      await page.getByRole('alert').getByText(text).waitFor();
      const wanted = address.replace('FOLDER', ids.folder);
      await page.waitForURL(({ href }) => href.endsWith(wanted));
    };
    const noPad = says('Pad not found', '/mypads/?/mypads/group/FOLDER/view');
    const ofEmpty = `/mypads/?/mypads/group/${empty}/view`;
    await expectEach(
      [
        ['?/mypads/group/FOLDER/pad/remove/nothing', noPad],
        ['?/mypads/group/FOLDER/pad/remove/chat/history/nothing', noPad],
        [`?/mypads/group/${empty}/pad/remove/nothing`, says('Pad not found', ofEmpty)],
        [`?/mypads/group/${empty}/pad/move`, says('No pads yet', ofEmpty)],
        ['?/myuserlists/nothing/remove', says('List not found', '/mypads/?/myuserlists')],
        [
          '?/admin/users/nothing/remove',
          says('This account does not exist. Check the username.', '/mypads/?/admin/users'),
        ],
      ],
      page,
    );
  });

  it('open for a guest, or lead to the sign-in screen', async () => {
    const { page } = await app.window();
    await expectEach(
      [
        ['', screen('Sign in')],
        ['?/login', screen('Sign in')],
        ['?/logout', screen('Sign in')],
        ['?/subscribe', screen('Create an account')],
        ['?/passrecover', screen('Forgot your password?')],
        [`index.html?/accountconfirm/${'1'.repeat(64)}`, screen('The address was not confirmed')],
        ['?/mypads', screen('Sign in')],
        ['?/mypads/group/FOLDER/remove', screen('Sign in')],
        ['?/mypads/group/FOLDER/user/invite', screen('Sign in')],
        ['?/myuserlists/LIST/edit', screen('Sign in')],
        ['?/mypads/group/FOLDER/view', (page) => page.getByText('Sign in to see this folder').waitFor()],
        [
          '?/mypads/group/FOLDER/pad/view/PAD',
          (page) => page.getByText('Sign in to open this pad').waitFor(),
        ],
        ['?/admin', screen('Administration')],
        ['?/admin/users', screen('Administration')],
      ],
      page,
    );
  });

  it('open for a server administrator', async () => {
    const { page } = await app.window({ adminToken: await app.signInAsAdmin() });
    await expectEach(
      [
        ['', screen('Settings')],
        ['?/admin', screen('Settings')],
        ['?/admin/users', screen('Accounts')],
        ['?/admin/users/create', screen('New account')],
        ['?/admin/users/ANN/edit', screen('ann Test')],
        ['?/admin/users/ANN/remove', dialog('Delete the account of ann Test?')],
        ['?/admin/logout', screen('Sign in')],
      ],
      page,
    );
  });
});
