/**
 * For Etherpad's own browser tests (since April 2026), which run the specs of installed plugins: the app works, and
 * pads of a folder stay closed. All other tests are in the repository; see docs/architecture.md.
 */
import { expect, test } from '@playwright/test';

const server = 'http://localhost:9001';

test.describe('ep_mypads', () => {
  test('offers to sign in', async ({ page }) => {
    await page.goto(`${server}/mypads/`);
    await expect(
      page.locator('form input[autocomplete="username"], form input[type="password"]').first(),
    ).toBeVisible();
  });

  test('leaves pads open that are not in a folder', async ({ page }) => {
    await page.goto(`${server}/p/spec${Date.now().toString(36)}`);
    await expect(page.locator('iframe[name="ace_outer"]')).toBeVisible({ timeout: 30_000 });
  });

  test('does not show a guest the pads of a folder', async ({ page, request }) => {
    const login = `spec${Date.now().toString(36)}`;
    const password = 'a password for the specs';
    const api = `${server}/mypads/api`;
    const send = async (path: string, data: object, token = '') => {
      const headers = token === '' ? undefined : { Authorization: `Bearer ${token}` };
      const answer = await request.post(`${api}/${path}`, { data, headers });
      expect(answer.status(), path).toBe(200);
      return answer.json();
    };
    await send('user', { login, password, email: `${login}@example.org` });
    const { token } = await send('auth/login', { login, password });
    const folder = await send('group', { name: 'Specs', visibility: 'restricted' }, token);
    const pad = await send('pad', { name: 'Secret', group: folder.key }, token);
    // The window of `page` has no cookie of this person: `request` has cookies of its own.
    await page.goto(`${server}/p/${pad.key}`);
    await expect(page).toHaveURL(/\/mypads\//);
    await expect(page.locator('h1').first()).toBeVisible();
    await expect(page.locator('iframe[name="ace_outer"]')).toHaveCount(0);
    const headers = { Authorization: `Bearer ${token}` };
    await request.delete(`${api}/user/${login}`, { data: { currentPassword: password }, headers });
  });
});
