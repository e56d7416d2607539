/**
 * A whole session with the client that oazapfts generates from our description. test/tools/openapiTools.test.ts writes
 * generated.ts, which is not in the repository, and type-checks this file before it runs it.
 */
import * as api from './generated';

/** What a call answers with this status; throws for any other. */
function demand<Answer extends { status: number }, Status extends Answer['status']>(
  answer: Answer,
  status: Status,
): Extract<Answer, { status: Status }> {
  if (answer.status !== status)
    throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer)}`);
  return answer as Extract<Answer, { status: Status }>;
}

async function signIn(login: string, password: string): Promise<void> {
  const { data } = demand(await api.postAuthLogin({ login, password }), 200);
  if (!('token' in data)) throw new Error('the account asks for a second step');
  api.defaults.headers = { Authorization: `Bearer ${data.token}` };
}

async function register(): Promise<string> {
  const body = { login: 'ada', password: 'secret of ada', email: 'ada@example.org' };
  const wrong = demand(await api.postUser({ ...body, email: 'nowhere' }), 400).data;
  const key: 'BACKEND.ERROR.TYPE.MAIL' | typeof wrong.error = wrong.error;
  const { value } = demand(await api.postUser(body), 200).data;
  const again = demand(await api.postUser(body), 400).data;
  await signIn(body.login, body.password);
  return `${key} ${again.error} ${value.login} ${value.ctime > 0}`;
}

async function work(): Promise<string> {
  // @ts-expect-error a folder needs a name
  const nameless = demand(await api.postGroup({ description: 'nothing else' }), 400).data;
  // @ts-expect-error there is no such visibility
  demand(await api.postGroup({ name: 'Minutes', visibility: 'open' }), 400);
  // @ts-expect-error nobody chooses an id
  demand(await api.postGroup({ name: 'Minutes', _id: 'mine' }), 400);
  const group = demand(await api.postGroup({ name: 'Minutes', visibility: 'restricted' }), 200).data.value;
  const pad = demand(await api.postPad({ name: 'First meeting', group: group._id }), 200).data.value;
  const changed = demand(await api.putPadById(pad._id, { readonly: true }), 200).data.value;
  const ticket = demand(await api.postPadByIdTicket(pad._id), 200).data;
  const shown = demand(await api.getGroupById(group._id), 200).data;
  const value = 'pads' in shown.value ? shown.value.pads.length : -1;
  return [nameless.field, changed.effective.readonly, ticket.mode, value].join(' ');
}

async function share(login: string): Promise<string> {
  const { value } = demand(await api.getGroup(), 200).data;
  const [group] = Object.values(value.groups);
  if (!group) throw new Error('There is no folder.');
  const body = { gid: group._id, invite: true, loginsOrEmails: [login, 'nobody'] };
  const invited = demand(await api.postGroupInvite(body), 200).data;
  return [...invited.present, 'and not', ...invited.absent].join(' ');
}

/** With an API token instead of the session. */
async function runProgram(): Promise<string> {
  const { headers } = api.defaults;
  const made = demand(await api.postUserByLoginTokens('ada', { name: 'Program', scopes: ['read'] }), 200);
  api.defaults.headers = { Authorization: `Bearer ${made.data.token}` };
  const { value } = demand(await api.getGroup(), 200).data;
  const refused = demand(await api.postGroup({ name: 'Minutes' }), 403).data;
  api.defaults.headers = headers;
  return [Object.keys(value.groups).length, refused.error, refused.scope].join(' ');
}

async function configure(login: string, password: string): Promise<string> {
  const { data } = demand(await api.postAuthAdminLogin({ login, password }), 200);
  api.defaults.headers = { Authorization: `Bearer ${data.token}` };
  // @ts-expect-error a title is a text
  const refused = demand(await api.postConfiguration({ key: 'title', value: 5 }), 400).data;
  demand(await api.putConfigurationByKey('passwordMin', { value: 6 }), 200);
  const all = demand(await api.getConfiguration(), 200).data.value;
  const found = demand(await api.getSearchUsersByText('ada', { limit: 1 }), 200).data;
  return [refused.error, all.passwordMin + 1, all.SMTPSSL, found.usersCount + 1].join(' ');
}

/** Walks through the API at this address (without a slash at the end), and tells what was seen. */
export async function walk(
  baseUrl: string,
  other: string,
  administrator: { login: string; password: string },
): Promise<string[]> {
  api.defaults.baseUrl = baseUrl;
  const guest = demand(await api.getGroup(), 401).data.error;
  const seen: string[] = [guest, await register(), await work(), await share(other), await runProgram()];
  demand(await api.postAuthLogout(), 200);
  seen.push(demand(await api.getUserlist(), 401).data.error);
  seen.push(await configure(administrator.login, administrator.password));
  return seen;
}
