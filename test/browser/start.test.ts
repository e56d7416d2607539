/** The first visit: signing in, registering, navigating, language and theme. */
import { expect } from 'chai';
import { heading, signInByForm, untilFocused, untilTitle, useApp } from '../support/browser';
import { password } from '../support/hostFixture';

describe('at the first visit', function () {
  this.timeout(60_000);
  const app = useApp({ expected: /Failed to fetch dynamically imported module|main-\w+\.js/ });
  const ann = app.usePerson('ann');

  it('everything that the page names is there, with the icon of the tab, and nothing is asked elsewhere', async () => {
    const { page, goTo } = await app.window({ isNew: true });
    const missing: string[] = [];
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && !request.url().startsWith(app.etherpad.url))
        elsewhere.push(request.url());
    });
    page.on('response', (answer) => {
      if (answer.status() >= 400) missing.push(`${answer.status()} ${answer.url()}`);
    });
    await goTo('');
    await heading(page, 'Sign in').waitFor();
    const links = page.locator(
      'head link[rel~="icon"], head link[rel="apple-touch-icon"], head link[rel="manifest"]',
    );
    const addresses = await links.evaluateAll((all) => all.map((link) => (link as HTMLLinkElement).href));
    expect(addresses.map((address) => /\.\w+$/.exec(address)?.[0])).to.have.members([
      '.svg',
      '.png',
      '.webmanifest',
    ]);
    // Browsers without SVG icons, and the tabs of answers without a page, ask for this one by themselves.
    for (const address of [...addresses, `${app.etherpad.url}/favicon.ico`]) {
      const answer = await page.request.get(address);
      if (!answer.ok()) missing.push(`${answer.status()} ${address}`);
      expect(answer.headers()['content-type'], address).to.match(/^(image\/|application\/manifest)/);
    }
    expect(missing).to.deep.equal([]);
    expect(elsewhere).to.deep.equal([]);
  });

  describe('signing in', () => {
    it('works by login and by address, and leads to the folders', async () => {
      for (const name of [ann.login, `${ann.login}@example.org`]) {
        const page = await app.open('');
        await heading(page, 'Sign in').waitFor();
        await signInByForm(page, name);
        await untilFocused(heading(page, 'Folders'));
        await untilTitle(page, 'Folders | MyPads');
      }
    });

    it('gives the same message for an unknown login and a wrong password, and keeps the login', async () => {
      const page = await app.open('/login');
      for (const login of [ann.login, 'nobody at all']) {
        await page.getByLabel('Username or email').fill(login);
        await page.getByLabel('Password', { exact: true }).fill('not the one');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await untilFocused(page.getByRole('alert'));
        await page.getByText('Username and password do not match.').waitFor();
        expect(await page.getByLabel('Username or email').inputValue()).to.equal(login);
      }
      await page.getByLabel('Password', { exact: true }).fill('another one');
      await page.getByText('Username and password do not match.').waitFor({ state: 'detached' });
    });

    it('is left without a question about what was typed', async () => {
      const page = await app.open('/login');
      await page.getByLabel('Username or email').fill('somebody');
      await page.getByRole('link', { name: 'Register' }).click();
      await heading(page, 'Create an account').waitFor();
    });

    it('says at the field what is missing, with a link to the field', async () => {
      const page = await app.open('/login');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByRole('link', { name: 'Enter your password.' }).click();
      await untilFocused(page.getByLabel('Password', { exact: true }));
    });

    it('opens the screen of the link that led here, with its filters', async () => {
      await app.fixture.group(ann, { name: 'Garden club' });
      const page = await app.open('/mypads?q=garden&role=admin');
      await signInByForm(page, ann.login);
      await heading(page, 'Folders').waitFor();
      expect(await page.getByRole('searchbox').inputValue()).to.equal('garden');
      await page.getByRole('button', { name: 'Managed by me', pressed: true }).waitFor();
    });

    it('opens the exports for the link of an email about one', async () => {
      const page = await app.open('/myexports');
      await signInByForm(page, ann.login);
      await heading(page, 'My exports').waitFor();
    });

    it('never leads to another server', async () => {
      const page = await app.open('/login?return=//example.org/mypads');
      await signInByForm(page, ann.login);
      await page.getByRole('heading', { level: 1 }).and(page.locator(':not(:text("Sign in"))')).waitFor();
      expect(new URL(page.url()).origin).to.equal(new URL(app.etherpad.url).origin);
    });

    it('is skipped for people who are signed in', async () => {
      const page = await app.open('/login', { as: ann });
      await heading(page, 'Folders').waitFor();
    });

    it('shows the password on request', async () => {
      const page = await app.open('/login');
      const field = page.getByLabel('Password', { exact: true });
      await field.fill('see me');
      await page.getByRole('button', { name: 'Show the password' }).click();
      expect(await field.getAttribute('type')).to.equal('text');
      await page.getByRole('button', { name: 'Hide the password' }).click();
      expect(await field.getAttribute('type')).to.equal('password');
    });
  });

  describe('registering', () => {
    it('names what is missing, then that the login is taken, and keeps what was typed', async () => {
      const page = await app.open('/subscribe');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('Please fix 3 fields:').waitFor();
      await page.getByLabel('Username').fill(ann.login);
      await page.getByLabel('Email').fill('somebody.else@example.org');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Password again').fill('another one');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('link', { name: 'The two passwords differ.' }).waitFor();
      await page.getByLabel('Password again').fill(password);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('This username is taken. Choose another.').first().waitFor();
      expect(await page.getByLabel('Email').inputValue()).to.equal('somebody.else@example.org');
    });

    it('lets people hide the hints below fields, unless the server hides them for everybody', async () => {
      const login = `registrant${Date.now() % 1e6}`;
      const page = await app.open('/subscribe');
      await page.getByLabel('Username').fill(login);
      await page.getByLabel('Email').fill(`${login}@example.org`);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Password again').fill(password);
      await page.locator('summary').click();
      await page.getByLabel('Hide hints below fields').check();
      await page.getByRole('button', { name: 'Create account' }).click();
      await heading(page, 'Folders').waitFor();
      await page.locator('html[data-help="hidden"]').waitFor();
      await app.close();
      await app.fixture.configure('hideHelpBlocks', true);
      try {
        const later = await app.open('/subscribe');
        await later.locator('summary').click();
        await later.getByLabel('Organisation').waitFor();
        expect(await later.getByLabel('Hide hints below fields').count()).to.equal(0);
      } finally {
        await app.reset('hideHelpBlocks');
      }
    });
  });

  describe('navigating', () => {
    it('an unknown address says that there is no page', async () => {
      const page = await app.open('/no/such/place', { as: ann });
      await heading(page, 'Page not found').waitFor();
      await page.getByRole('link', { name: 'Go to your folders' }).click();
      await heading(page, 'Folders').waitFor();
    });

    it('a broken address of a folder says that there is none', async () => {
      const page = await app.open('/mypads/group/100%/view', { as: ann });
      await page.getByText('Folder not found').waitFor();
      await page.getByRole('link', { name: 'Go to your folders' }).click();
      await heading(page, 'Folders').waitFor();
    });

    it('Back leaves a screen, not a filter, and asks before what was typed is lost', async () => {
      const page = await app.open('/mybookmarks', { as: ann });
      await page.getByRole('link', { name: 'Folders', exact: true }).click();
      await page.getByRole('link', { name: 'New folder' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill('Half a name');
      await page.goBack();
      await page.getByRole('button', { name: 'Keep editing' }).click();
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Half a name');
      expect(page.url()).to.contain('/group/add');
      await page.goBack();
      await page.getByRole('button', { name: 'Leave', exact: true }).click();
      await heading(page, 'Folders').waitFor();
      await page.goBack();
      await heading(page, 'Bookmarks').waitFor();
    });

    it('Back saves a new name, as everything does that leaves its field', async () => {
      await app.fixture.group(ann, { name: 'Old name' });
      const page = await app.open('/mybookmarks', { as: ann });
      await page.getByRole('link', { name: 'Folders', exact: true }).click();
      await page.getByRole('main').getByRole('link', { name: 'Old name' }).focus();
      await page.keyboard.press('e');
      await page.keyboard.type('New name');
      await page.goBack();
      await heading(page, 'Bookmarks').waitFor();
      await page.getByText('The new name is “New name”.').waitFor();
    });

    it('Back leaves a screen whose link was pressed several times', async () => {
      const page = await app.open('/mybookmarks', { as: ann });
      const folders = page.getByRole('link', { name: 'Folders', exact: true });
      for (let times = 1; times <= 3; times += 1) await folders.click();
      await heading(page, 'Folders').waitFor();
      await page.goBack();
      await heading(page, 'Bookmarks').waitFor();
    });

    it('on a phone the menu closes when one of its links is used', async () => {
      const page = await app.open('/mypads', { as: ann, screen: 'phone' });
      await page.getByRole('button', { name: 'Open the menu' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Bookmarks' }).click();
      await heading(page, 'Bookmarks').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('signing out, from the menu and from an old link, ends at the sign-in screen', async () => {
      const bob = await app.fixture.person('bob');
      const page = await app.open('/mypads', { as: bob });
      await page.getByRole('button', { name: 'bob Test' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in').waitFor();
      await page.getByText('You are signed out.').waitFor();
      await signInByForm(page, bob.login);
      await heading(page, 'Folders').waitFor();
      await app.goTo('/logout');
      await heading(page, 'Sign in').waitFor();
      await app.goTo('/mypads');
      await heading(page, 'Sign in').waitFor();
    });
  });

  describe('language and theme', () => {
    it('follow the browser, then the person’s choice, also at the next visit', async () => {
      const page = await app.open('/login', { language: 'fr-CA', theme: 'dark' });
      await heading(page, 'Se connecter').waitFor();
      expect(await page.locator('html').getAttribute('lang')).to.equal('fr');
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await ground();
      await page.getByRole('button', { name: 'Thème' }).click();
      await page.getByRole('menuitemradio', { name: 'Clair' }).click();
      expect(await ground()).to.not.equal(dark);
      await page.getByRole('button', { name: 'Langue' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'English' }).click();
      await heading(page, 'Sign in').waitFor();
      await page.reload();
      await heading(page, 'Sign in').waitFor();
      expect(await ground()).to.not.equal(dark);
      expect(await page.locator('html').getAttribute('lang')).to.equal('en');
    });
  });

  describe('while something is not ready', () => {
    it('the sign-in screen says that the server is still starting', async () => {
      const { page } = await app.window();
      let ready = false;
      // The answer is mocked, because the index of a test's few accounts is complete too soon.
      await page.route('**/api/cache/check', (route) => route.fulfill({ json: { userCacheReady: ready } }));
      await app.goTo('/login');
      await page.getByText('The service is starting.').waitFor();
      ready = true;
      await page.getByText('The service is starting.').waitFor({ state: 'detached' });
      await signInByForm(page, ann.login);
      await heading(page, 'Folders').waitFor();
    });

    it('an app that cannot start says why, and can be started again', async () => {
      const { page } = await app.window();
      await page.route('**/api/configuration*', (route) => route.abort());
      await app.goTo('/login');
      await page.getByText('The page could not start').waitFor();
      await page.unroute('**/api/configuration*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await heading(page, 'Sign in').waitFor();
    });

    it('a script that does not arrive leaves no empty page', async () => {
      const { page } = await app.window();
      await page.route('**/assets/main-*.js', (route) => route.abort());
      await app.goTo('/login');
      await signInByForm(page, ann.login);
      await page.getByText('This screen has stopped working').waitFor();
      await page.unroute('**/assets/main-*.js');
      await page.getByRole('button', { name: 'Reload' }).click();
      await heading(page, 'Folders').waitFor();
    });
  });
});
