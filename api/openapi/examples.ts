/** Examples of requests and answers, by call. The tests check them against the schemas. */
interface Example {
  body?: object;
  answer?: object;
}

const login = { login: 'alice', password: 'alices-password' };
const group = 'minutes-of-the-board-x2k3v9';
const pad = 'first-meeting-h5t8s1';
const token = '<the token of the link>';

export const examples: Readonly<Record<string, Example>> = {
  'POST /auth/login': { body: login },
  'POST /auth/login/cas': { body: { ticket: 'ST-1856339-aA5Yuvrxzpv8Tau1cYQ7' } },
  'POST /auth/check': { body: login, answer: { success: true } },
  'POST /auth/admin/login': {
    body: { login: 'admin', password: 'the one of settings.json' },
    answer: { success: true, token: '<token>' },
  },
  'POST /auth/admin/login/host': { body: {}, answer: { success: true, token: '<token>' } },
  'POST /configuration': { body: { key: 'title', value: 'Our pads' } },
  'PUT /configuration/{key}': { body: { value: 'Our pads' } },
  'POST /user': { body: { ...login, email: 'alice@example.org', firstname: 'Alice', lang: 'en' } },
  'PUT /user/{login}': { body: { firstname: 'Alice', color: '#1a6b4a', lang: 'fr' } },
  'DELETE /user/{login}': {
    body: { currentPassword: login.password },
    answer: { success: true, key: 'alice' },
  },
  'POST /group': {
    body: { name: 'Minutes of the board', visibility: 'private', password: 'hémi', tags: ['board'] },
  },
  'POST /group/{id}/unlock': { body: { password: 'hémi' } },
  'PUT /group/{id}': { body: { description: 'Of the board', archived: false } },
  'DELETE /group/{id}': { answer: { success: true, key: group } },
  'POST /group/invite': { body: { gid: group, invite: true, loginsOrEmails: ['bob', 'carol@example.org'] } },
  'PUT /group/{id}/members': { body: { admins: ['bob'], users: ['carol'], removed: ['dave'] } },
  'POST /group/{id}/members': { body: { loginsOrEmails: ['bob'], admin: false } },
  'POST /group/tags': {
    body: { changes: [{ group, add: ['board'], remove: ['draft'] }] },
    answer: { success: true, changed: [{ group, add: ['board'], remove: [] }], failed: [] },
  },
  'POST /group/resign': { body: { gid: group } },
  'POST /pad': { body: { name: 'First meeting', group } },
  'POST /pad/{id}/unlock': { body: { password: 'hémi' } },
  'POST /pad/{id}/duplicate': { body: { name: 'Second meeting' } },
  'PUT /pad/{id}': { body: { name: 'First meeting of the year', readonly: true } },
  'DELETE /pad/{id}': { answer: { success: true, key: pad } },
  'POST /userlist': { body: { name: 'The board', loginsOrEmails: ['bob', 'carol@example.org'] } },
  'PUT /userlist/{key}': { body: { name: 'The new board' } },
  'POST /usermark': { body: { type: 'pads', key: pad }, answer: { success: true } },
  'PUT /usermark': {
    body: { type: 'pads', keys: [pad], marked: true },
    answer: { success: true, changed: [pad], refused: [] },
  },
  'POST /passrecover': { body: { email: 'alice@example.org' }, answer: { success: true } },
  'PUT /passrecover/{token}': {
    body: { password: 'a-new-password', passwordConfirm: 'a-new-password' },
    answer: { success: true, login: 'alice' },
  },
  'POST /accountconfirm': { body: { token }, answer: { success: true, login: 'alice' } },
  'GET /cache/check': { answer: { userCacheReady: true } },
  'GET /stats/stats.json': { answer: { timestamp: 1_795_226_493, users: 120, pad: 800, groups: 95 } },
};
