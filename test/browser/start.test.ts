/** The first minutes with the page: signing in, registering, finding the way around, language and theme. */
import { expect } from 'chai';
import {
  accessibilityProblems,
  onStage,
  type Stage,
  sidewaysScroll,
  type Visitor,
  type VisitorOptions,
  visitor,
} from '../support/browser';
import { type Person, password } from '../support/hostWorld';

describe('at the start', function () {
  this.timeout(60_000);
  let stage: Stage;
  let ann: Person;
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    ann = await stage.world.person('ann');
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  async function at(place: string, options: VisitorOptions = {}) {
    now = await visitor(stage, options);
    await now.open(place);
    return now.page;
  }

  const signIn = async (page: Visitor['page'], login: string): Promise<void> => {
    await page.getByLabel('Login or e-mail').fill(login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const heading = (page: Visitor['page'], name: string) => page.getByRole('heading', { level: 1, name });

  describe('signing in', () => {
    it('works by login and by address, and leads to the folders', async () => {
      for (const name of [ann.login, `${ann.login}@example.org`]) {
        const page = await at('');
        await heading(page, 'Sign in').waitFor();
        await signIn(page, name);
        await heading(page, 'Folders').and(page.locator(':focus')).waitFor();
        expect(await page.title()).to.equal('Folders | MyPads');
        await now?.close();
      }
    });

    it('keeps what was typed when it does not match, and says so once for a wrong name and a wrong password', async () => {
      const page = await at('/login');
      for (const login of [ann.login, 'nobody at all']) {
        await page.getByLabel('Login or e-mail').fill(login);
        await page.getByLabel('Password', { exact: true }).fill('not the one');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('alert').and(page.locator(':focus')).waitFor();
        await page.getByText('Login and password do not match.').waitFor();
        expect(await page.getByLabel('Login or e-mail').inputValue()).to.equal(login);
      }
    });

    it('says at the field what is missing, and leads there', async () => {
      const page = await at('/login');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByRole('link', { name: 'Type your password.' }).click();
      await page.getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
    });

    it('leads to the place that a link asked for, with its filters', async () => {
      await stage.world.group(ann, { name: 'Garden club' });
      const page = await at('/mypads?q=garden&role=admin');
      await signIn(page, ann.login);
      await heading(page, 'Folders').waitFor();
      expect(await page.getByRole('searchbox').inputValue()).to.equal('garden');
      await page.getByRole('button', { name: 'Managed by me', pressed: true }).waitFor();
    });

    it('leads nowhere but into this page, whatever a link says', async () => {
      const page = await at('/login?return=//example.org/mypads');
      await signIn(page, ann.login);
      await page.getByRole('heading', { level: 1 }).and(page.locator(':not(:text("Sign in"))')).waitFor();
      expect(new URL(page.url()).origin).to.equal(new URL(stage.etherpad.url).origin);
    });

    it('is not asked of somebody who is signed in', async () => {
      const page = await at('/login', { as: ann });
      await heading(page, 'Folders').waitFor();
    });

    it('shows a password while one wants to see it', async () => {
      const page = await at('/login');
      const field = page.getByLabel('Password', { exact: true });
      await field.fill('see me');
      await page.getByRole('button', { name: 'Show the password' }).click();
      expect(await field.getAttribute('type')).to.equal('text');
      await page.getByRole('button', { name: 'Hide the password' }).click();
      expect(await field.getAttribute('type')).to.equal('password');
    });
  });

  describe('registering', () => {
    it('names everything that is missing, then the login that is taken, and loses nothing', async () => {
      const page = await at('/subscribe');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('3 things need a change:').waitFor();
      await page.getByLabel('Login').fill(ann.login);
      await page.getByLabel('E-mail').fill('somebody.else@example.org');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Password again').fill('another one');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('link', { name: 'The two passwords differ.' }).waitFor();
      await page.getByLabel('Password again').fill(password);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('This login is taken. Choose another.').first().waitFor();
      expect(await page.getByLabel('E-mail').inputValue()).to.equal('somebody.else@example.org');
    });
  });

  describe('the way around', () => {
    it('an address that leads nowhere says so', async () => {
      const page = await at('/no/such/place', { as: ann });
      await heading(page, 'Page not found').waitFor();
      await page.getByRole('link', { name: 'Go to my folders' }).click();
      await heading(page, 'Folders').waitFor();
    });

    it('an address of the earlier generation, with index.html, works', async () => {
      now = await visitor(stage, { as: ann });
      await now.page.goto('/mypads/index.html?/mypads/group/list');
      await heading(now.page, 'Folders').waitFor();
      await now.page.getByRole('link', { name: 'Bookmarks' }).click();
      await heading(now.page, 'Bookmarks').waitFor();
      expect(new URL(now.page.url()).pathname).to.equal('/mypads/');
    });

    it('Back leaves a screen, not a filter, and asks before what was typed is lost', async () => {
      const page = await at('/mybookmarks', { as: ann });
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

    it('on a phone the menu is a sheet that closes behind the one who leaves by it', async () => {
      const page = await at('/mypads', { as: ann, screen: 'phone' });
      await page.getByRole('button', { name: 'Open the menu' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Bookmarks' }).click();
      await heading(page, 'Bookmarks').waitFor();
      expect(await page.getByRole('dialog').count()).to.equal(0);
    });

    it('signing out, from the menu and from an old link, ends at the sign-in screen', async () => {
      const bob = await stage.world.person('bob');
      const page = await at('/mypads', { as: bob });
      await page.getByRole('button', { name: 'bob Test' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in').waitFor();
      await page.getByText('You are signed out.').waitFor();
      await signIn(page, bob.login);
      await heading(page, 'Folders').waitFor();
      await now?.open('/logout');
      await heading(page, 'Sign in').waitFor();
      await now?.open('/mypads');
      await heading(page, 'Sign in').waitFor();
    });
  });

  describe('language and theme', () => {
    it('begin as the browser says, and follow a choice, also at the next visit', async () => {
      const page = await at('/login', { language: 'fr-CA', theme: 'dark' });
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

    it('a page that cannot start says why, and starts when it can', async () => {
      now = await visitor(stage);
      await now.page.route('**/api/configuration*', (route) => route.abort());
      await now.open('/login');
      await now.page.getByText('The page could not start').waitFor({ timeout: 20_000 });
      await now.page.unroute('**/api/configuration*');
      await now.page.getByRole('button', { name: 'Try again' }).click();
      await heading(now.page, 'Sign in').waitFor();
    });
  });

  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1280, 320]) {
      it(`everybody can use its screens (${theme}, ${width} px wide)`, async () => {
        const screen = { width, height: 720 };
        for (const [place, as] of [
          ['/login'],
          ['/subscribe'],
          ['/mypads', ann],
          ['/mybookmarks', ann],
          ['/nowhere', ann],
        ] as const) {
          const page = await at(place, { as, screen, theme });
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.waitForLoadState('networkidle');
          expect(await accessibilityProblems(page), place).to.deep.equal([]);
          expect(await sidewaysScroll(page), place).to.deep.equal([]);
          await now?.close();
        }
      });
    }
  }
});
