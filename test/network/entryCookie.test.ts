/** The cookie that opens pads: who gets one, for how long, and who gets none. */
import { expect } from 'chai';
import { useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad } from '../support/factories';
import { usePerson } from '../support/people';

const day = 24 * 3600_000;

/** The entry cookie that an answer sets; `undefined` when it sets none. Etherpad may set a cookie of its own. */
function cookieIn(answer: { headers: Record<string, unknown> }) {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String);
  const ours = lines.filter((line) => line.startsWith('mypads_entry='));
  expect(ours).to.have.length.at.most(1);
  const [first] = ours;
  if (first === undefined) return undefined;
  const [pair = '', ...attributes] = first.split('; ');
  const expires = attributes.find((one) => one.startsWith('Expires='))?.slice('Expires='.length);
  return {
    value: pair.slice('mypads_entry='.length),
    attributes: attributes.filter((one) => !one.startsWith('Expires=')),
    expires: expires === undefined ? undefined : Date.parse(expires),
  };
}

describe('the cookie that opens pads', () => {
  const app = useTestApp();
  const { user } = usePerson(app, before);

  const guest = () => callerOf(app);
  const signIn = () => guest()('post', 'auth/login', { login: user.login, password: user.password });

  it('is set at sign-in, cannot be read by scripts, and lasts as long as the session can', async () => {
    const cookie = cookieIn(await signIn());
    expect(cookie?.value).to.match(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(cookie?.attributes).to.have.members(['Path=/', 'HttpOnly', 'SameSite=Lax']);
    const end = app.ports.now() + 90 * day;
    expect(cookie?.expires).to.be.within(end - 60_000, end + 60_000);
  });

  it('is set for a guest with the right password of a folder or pad, until the browser is closed', async () => {
    const group = await buildGroup(app, user, { visibility: 'private', password: 'of the folder' });
    const pad = await buildPad(app, user, group, { visibility: 'private', password: 'of the pad' });
    for (const [path, password] of [
      [`group/${group._id}`, 'of the folder'],
      [`pad/${pad._id}`, 'of the pad'],
    ] as const) {
      const cookie = cookieIn(await guest()('post', `${path}/unlock`, { password }));
      expect(cookie?.value, path).to.match(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(cookie?.attributes).to.have.members(['Path=/', 'HttpOnly', 'SameSite=Lax']);
      expect(cookie?.expires, 'on a computer that many use').to.equal(undefined);
      const wrong = await guest()('post', `${path}/unlock`, { password: 'another' });
      expect([wrong.status, cookieIn(wrong)]).to.deep.equal([401, undefined]);
    }
  });

  it('is removed by signing out', async () => {
    const token: string = (await signIn()).body.token;
    const cookie = cookieIn(await callerOf(app, token)('post', 'auth/logout'));
    expect(cookie?.value).to.equal('');
    expect(cookie?.expires).to.be.below(app.ports.now());
  });

  it('is not set after a wrong password, and not for server administrators', async () => {
    const answers = [
      await guest()('post', 'auth/login', { login: user.login, password: 'wrong' }),
      await guest()('post', 'auth/admin/login', { login: 'root', password: 'rootroot' }),
      await guest()('get', 'configuration'),
      await callerOf(app, user.token)('get', 'group'),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([400, 200, 200, 200]);
    for (const answer of answers) expect(cookieIn(answer)).to.equal(undefined);
  });
});
