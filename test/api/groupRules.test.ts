/** Groups of a directory become members of folders: rules, sign-in with a real provider, what stays and what goes. */
import { expect } from 'chai';
import type { Group } from '../../api/answers';
import { limits } from '../../model/limits';
import type { GroupRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type Call, callerOf, snapshot } from '../support/caller';
import { checkEach } from '../support/cases';
import { startCasServer } from '../support/casServer';
import { buildGroup, buildPad, buildUser, signInAsAdmin, type TestUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import type { OidcPersonOfTest } from '../support/oidcServer';
import { ada, oidcRoot, useOidc } from '../support/oidcSignIn';
import type { Fault } from '../support/serverFaults';
import { succeeds, until } from '../support/waiting';

const error = (name: string): string => `BACKEND.ERROR.${name}`;
const staffRule = { source: 'oidc', provider: 'school', attribute: 'groups', value: 'staff', role: 'writer' };
const { groups: _, ...adaWithoutClaim } = ada;
const eve: OidcPersonOfTest = { ...ada, sub: 'e-1', preferred_username: 'eve', email: 'eve@example.org' };

describe('rules for groups of a directory', () => {
  const oidc = useOidc();
  let manager: TestUser;
  let folder: Group;
  let asManager: Call;
  let asRoot: Call;
  beforeEach(async () => {
    manager = await buildUser(oidc.app);
    folder = await buildGroup(oidc.app, manager);
    asManager = callerOf(oidc.app, manager.token);
    asRoot = callerOf(oidc.app, await signInAsAdmin(oidc.app));
  });

  /** Stores rules, and waits until they are applied. */
  async function setRules(...rules: object[]) {
    const answer = await asRoot('put', 'admin/group-rules', { rules });
    await oidc.app.idle();
    expect(answer.body).to.have.property('success', true);
    return answer.body;
  }
  const staffHere = (changes = {}) => ({ ...staffRule, folder: folder._id, ...changes });
  const signIn = async (person: OidcPersonOfTest = ada) => (await oidc.signIn(person)).body;
  /** The role of an account in the folder. */
  async function roleOf({ _id }: { _id: string }, of: { _id: string } = folder): Promise<string> {
    const { value } = (await asManager('get', `group/${of._id}`)).body;
    return (['admins', 'users', 'readers'] as const).find((list) => value[list].includes(_id)) ?? 'none';
  }
  const setRole = (list: string, login = 'ada') =>
    asManager('put', `group/${folder._id}/members`, { [list]: [login] });

  describe('at a sign-in', () => {
    it('make people members of a folder, and take it away when the value is gone', async () => {
      await setRules(staffHere());
      const { user, token } = await signIn();
      expect(await roleOf(user)).to.equal('users');
      const own = (await callerOf(oidc.app, token)('get', 'group')).body;
      expect(own.value.groups).to.have.property(folder._id);
      await signIn({ ...ada, groups: ['maths'] });
      expect(await roleOf(user)).to.equal('none');
      expect((await callerOf(oidc.app, token)('get', `group/${folder._id}`)).status).to.equal(401);
    });

    it('say nothing to people without the value, and need the provider that they name', async () => {
      await setRules(staffHere({ value: 'STAFF' }), staffHere({ value: 'staf' }));
      expect(await roleOf((await signIn()).user)).to.equal('none');
      const other = oidc.server.provider({ name: 'Other' });
      await oidc.set('authOidcSettings', { providers: { school: oidc.server.provider(), other } });
      await setRules(staffHere({ provider: 'other' }));
      expect(await roleOf((await signIn()).user)).to.equal('none');
    });

    it('take a missing claim for no answer, unless the rule says that it means none', async () => {
      await setRules(staffHere());
      const { user } = await signIn();
      await signIn(adaWithoutClaim);
      expect(await roleOf(user)).to.equal('users');
      await setRules(...(await asRoot('get', 'admin/group-rules')).body.rules);
      expect(await roleOf(user), 'after the rules were stored again').to.equal('users');
      await signIn({ ...ada, groups: [] });
      expect(await roleOf(user)).to.equal('none');
      await setRules(staffHere({ absentIsEmpty: true }));
      await signIn();
      expect(await roleOf(user)).to.equal('users');
      await signIn(adaWithoutClaim);
      expect(await roleOf(user)).to.equal('none');
    });

    it('read no claim that is not a text or a list of texts', async () => {
      await setRules(staffHere());
      const { user } = await signIn();
      const odd: Record<string, unknown> = {
        'an object': { staff: true, toString: 'staff' },
        'objects in a list': [{ name: 'staff' }, ['staff']],
        'nothing at all': null,
      };
      await checkEach(odd, async (groups) => {
        oidc.server.changeTokens((claims) => ({ ...claims, groups }) as typeof claims);
        await signIn(adaWithoutClaim);
        expect(await roleOf(user)).to.equal('users');
      });
      oidc.server.changeTokens((claims) => ({ ...claims, groups: 'staffed' }));
      await signIn(adaWithoutClaim);
      expect(await roleOf(user)).to.equal('none');
    });

    it('find a value among thousands, and keep only some of them', async () => {
      await setRules(staffHere());
      const many = Array.from({ length: 3_000 }, (_, number) => `group ${number}`);
      const { user } = await signIn({ ...ada, groups: [...many, 'x'.repeat(5_000), 'staff'] });
      expect(await roleOf(user)).to.equal('users');
      const kept = JSON.stringify(await oidc.app.ports.database.get(keys.attributes(user._id)));
      expect(kept).to.contain('"staff"');
      expect(JSON.parse(kept).known['oidc:school'].groups).to.have.length(limits.attributeValues);
      await setRules(...(await asRoot('get', 'admin/group-rules')).body.rules);
      expect(await roleOf(user)).to.equal('users');
    });

    it('keep nothing of what no rule names', async () => {
      const { user } = await signIn();
      expect(Object.keys(await snapshot(oidc.app))).to.not.include(keys.attributes(user._id));
      const { rules } = await setRules(staffHere({ attribute: 'constructor' }));
      await signIn();
      // As a version before could store it: Etherpad ended at the next sign-in of anyone.
      await oidc.app.model.store.set(keys.groupRules, {
        version: 9,
        rules: [{ ...rules[0], role: 'users', attribute: '__proto__' }],
      });
      await signIn();
      expect((await oidc.app.lines()).map(({ message }) => message)).to.not.include(
        'group rules not applied at a sign-in',
      );
      expect(JSON.stringify(await snapshot(oidc.app))).to.not.contain('maths');
    });

    it('keep nobody out when they cannot be applied', async () => {
      await setRules(staffHere());
      const fault: Fault = { fault: 'fail', calls: ['get'], keys: 'mypads:attributes:', why: 'no disk' };
      await oidc.app.inject(fault);
      expect((await oidc.signIn()).status).to.equal(200);
    });

    it('count for CAS too', async () => {
      const cas = await startCasServer();
      try {
        await oidc.set('authCasSettings', cas.settings());
        await oidc.set('authMethods', ['oidc', 'cas']);
        await setRules({ ...staffHere(), source: 'cas', provider: undefined, attribute: 'MemberOf' });
        const service = `${oidcRoot}/mypads/?/login`;
        const attributes = { email: 'bob@example.org', memberOf: ['maths', 'staff'] };
        const signInAt = (more: object) =>
          oidc.app.agent
            .post('/api/auth/login/cas')
            .send({ ticket: cas.ticket({ user: 'bob', attributes: { ...attributes, ...more } }, service) });
        const { user } = (await signInAt({})).body;
        expect(await roleOf(user)).to.equal('users');
        await signInAt({ memberOf: 'maths' });
        expect(await roleOf(user)).to.equal('none');
      } finally {
        await cas.stop();
      }
    });
  });

  describe('beside what people give', () => {
    it('are stored as one list of people for each grant, whatever is changed', async () => {
      await setRules(staffHere());
      const people = [(await signIn()).user, (await signIn(eve)).user];
      const pad = await buildPad(oidc.app, manager, folder);
      const changes: Record<string, () => PromiseLike<{ status: number }>> = {
        'a new pad': () => asManager('post', 'pad', { name: 'Minutes', group: folder._id }),
        'a tag': () => asManager('post', 'group/tags', { changes: [{ group: folder._id, add: ['maths'] }] }),
        'another name': () => asManager('put', `group/${folder._id}`, { name: 'Staff' }),
        'a pad in the trash': () => asManager('delete', `pad/${pad._id}`),
        'a pad that is restored': () => asManager('post', `trash/${pad._id}/restore`, {}),
      };
      await checkEach(changes, async (change) => {
        expect((await change()).status).to.equal(200);
        const { byRule } = (await oidc.app.ports.database.get(keys.group(folder._id))) as {
          byRule: { people: string[] }[];
        };
        expect(byRule.map((grant) => grant.people)).to.deep.equal([people.map(({ _id }) => _id)]);
      });
    });

    it('end in the trash too, so that a restored folder gives nothing that is gone', async () => {
      const ends: Record<string, () => Promise<unknown>> = {
        'the rule is removed': () => setRules(),
        'the value is gone': () => signIn({ ...ada, groups: ['maths'] }),
      };
      await checkEach(ends, async (end) => {
        await setRules(staffHere());
        const { user } = await signIn();
        expect(await roleOf(user)).to.equal('users');
        await asManager('delete', `group/${folder._id}`).expect(200);
        await end();
        await asManager('post', `trash/${folder._id}/restore`, {}).expect(200);
        await oidc.app.idle();
        expect(await roleOf(user)).to.equal('none');
      });
    });

    it('begin in a restored folder for people who signed in while it was in the trash', async () => {
      await setRules(staffHere());
      await asManager('delete', `group/${folder._id}`).expect(200);
      const { user } = await signIn();
      await asManager('post', `trash/${folder._id}/restore`, {}).expect(200);
      await oidc.app.idle();
      expect(await roleOf(user)).to.equal('users');
    });

    it('end in a restored folder at once, before rules are applied to all others', async () => {
      const ends: Record<string, () => Promise<unknown>> = {
        'the rule is removed': () => setRules(),
        'the value is gone': () => signIn({ ...ada, groups: [] }),
      };
      await checkEach(ends, async (end) => {
        await setRules(staffHere());
        const { user } = await signIn();
        await asManager('delete', `group/${folder._id}`).expect(200);
        await end();
        // No run over everybody begins while the record of the rules is locked.
        await oidc.app.model.store.locked([keys.groupRules], async () => {
          await asManager('post', `trash/${folder._id}/restore`, {}).expect(200);
          await until('the role has ended', async () => (await roleOf(user)) === 'none');
        });
      });
    });

    // The database of a real server cannot be replaced.
    inProcessOnly.it(
      'end in a restored folder also if the server fails right after it was restored',
      async () => {
        await setRules(staffHere());
        const { user } = await signIn();
        await asManager('delete', `group/${folder._id}`).expect(200);
        await setRules();
        const { database } = oidc.app.ports;
        const { set } = database;
        let isRestored = false;
        database.set = (key, value) => {
          if (key !== keys.group(folder._id)) return set(key, value);
          if (isRestored) return Promise.reject(new Error('the disk is full'));
          isRestored = true;
          return set(key, value);
        };
        try {
          await asManager('post', `trash/${folder._id}/restore`, {}).expect(200);
          await oidc.app.idle();
        } finally {
          database.set = set;
        }
        const stored = (await database.get(keys.group(folder._id))) as GroupRecord;
        expect(stored.users, 'while it fails').to.deep.equal([user._id]);
        await until('the record can be read again', () => succeeds(oidc.app.model.groups.find(folder._id)));
        oidc.app.ports.advance(60_000);
        await oidc.app.model.jobs.runDue();
        await oidc.app.idle();
        expect(await roleOf(user)).to.equal('none');
      },
    );

    it('leave what was given by hand, before and after', async () => {
      const { user } = await signIn({ ...ada, groups: [] });
      await setRole('readers');
      await setRules(staffHere());
      await signIn();
      expect(await roleOf(user), 'the stronger counts').to.equal('users');
      await setRole('admins');
      expect(await roleOf(user), 'raised by hand').to.equal('admins');
      await signIn({ ...ada, groups: [] });
      expect(await roleOf(user), 'raised by hand, after the rule').to.equal('admins');
    });

    it('return people to the role that they had by hand', async () => {
      const { user } = await signIn({ ...ada, groups: [] });
      await setRole('readers');
      await setRules(staffHere());
      await signIn();
      await signIn({ ...ada, groups: [] });
      expect(await roleOf(user)).to.equal('readers');
    });

    it('leave people the role in which they were also added, although the rule gave the same or more', async () => {
      const path = `group/${folder._id}/members`;
      for (const [byRule, role, list] of [
        ['manager', 'writer', 'users'],
        ['reader', 'reader', 'readers'],
      ] as const) {
        await setRules(staffHere({ role: byRule }));
        const { user } = await signIn();
        await asManager('post', path, { loginsOrEmails: ['ada'], role }).expect(200);
        expect(await roleOf(user), 'nobody gets fewer rights').to.equal(
          byRule === 'manager' ? 'admins' : list,
        );
        await signIn({ ...ada, groups: [] });
        expect(await roleOf(user)).to.equal(list);
        await setRole('removed');
      }
    });

    it('leave people the role that a manager gave when they asked for more', async () => {
      await setRules(staffHere({ role: 'reader' }));
      const { user, token } = await signIn();
      await callerOf(oidc.app, token)('post', `group/${folder._id}/requests`, {}).expect(200);
      await oidc.app.idle();
      const [request] = (await asManager('get', 'requests')).body.value;
      await asManager('put', `requests/${request._id}`, { role: 'reader' }).expect(200);
      await signIn({ ...ada, groups: [] });
      expect(await roleOf(user)).to.equal('readers');
    });

    it('set a floor that no call of a manager goes below', async () => {
      await setRules(staffHere());
      const { user } = await signIn();
      await asManager('put', `group/${folder._id}`, { readonly: false });
      const path = `group/${folder._id}`;
      await checkEach(
        {
          lowering: () => setRole('readers'),
          removing: () => setRole('removed'),
          'the list of members': () =>
            asManager('post', 'group/invite', { gid: folder._id, invite: true, loginsOrEmails: [] }),
          'the lists of the folder': () => asManager('put', path, { users: [], readers: [user._id] }),
        },
        async (change) => {
          const { status, body } = await change();
          expect(status, JSON.stringify(body)).to.equal(200);
          expect(body.value.users).to.deep.equal([user._id]);
          expect(body.value.byRule).to.deep.equal({ [user._id]: 'users' });
        },
      );
      const removal = await asManager('delete', `${path}/members/ada`);
      expect([removal.status, removal.body.error]).to.deep.equal([400, error('GROUP.BY_RULE')]);
      await setRole('removed');
      await setRules();
      expect(await roleOf(user), 'nothing was given by hand in the end').to.equal('none');
    });

    it('do not let people leave, and do not offer it', async () => {
      await setRules(staffHere());
      const { token } = await signIn();
      const asAda = callerOf(oidc.app, token);
      const { value } = (await asAda('get', `group/${folder._id}`)).body;
      expect(value.abilities.leave).to.equal(false);
      expect(value, 'only managers see who is here by a rule').to.not.have.property('byRule');
      const left = await asAda('post', 'group/resign', { gid: folder._id });
      expect([left.status, left.body.error]).to.deep.equal([400, error('GROUP.BY_RULE')]);
    });

    it('keep a folder with a manager: the last one stays, as given by hand', async () => {
      await setRules(staffHere({ role: 'manager' }));
      const { user, token } = await signIn();
      await callerOf(oidc.app, token)('delete', `group/${folder._id}/members/${manager.login}`);
      await signIn({ ...ada, groups: [] });
      const stored = await oidc.app.model.store.get<GroupRecord>(keys.group(folder._id));
      expect(stored?.admins).to.deep.equal([user._id]);
      const { value } = (await callerOf(oidc.app, token)('get', `group/${folder._id}`)).body;
      expect(value).to.not.have.property('byRule');
    });

    it('hand over a folder and keep the managers of a rule', async () => {
      await setRules(staffHere({ role: 'manager' }));
      const { user } = await signIn();
      const next = await buildUser(oidc.app);
      const { body } = await asManager('post', `group/${folder._id}/handover`, { to: next.login });
      expect(body.value.admins).to.have.members([user._id, next.id]);
      expect(body.value.users).to.deep.equal([manager.id]);
    });

    it('leave the folder to whom it was handed over, although a rule made them a manager before', async () => {
      await setRules(staffHere({ role: 'manager' }));
      const { user, token } = await signIn();
      await signIn({ ...eve, groups: ['staff'] });
      await asManager('post', `group/${folder._id}/handover`, { to: 'ada' }).expect(200);
      await signIn({ ...ada, groups: [] });
      const { value } = (await callerOf(oidc.app, token)('get', `group/${folder._id}`)).body;
      expect(value.admins).to.include(user._id);
    });

    it('answer why somebody can open a folder', async () => {
      await setRules(staffHere());
      const { user } = await signIn();
      const rows = async () => (await asManager('get', `group/${folder._id}/access`)).body.value;
      expect(await rows()).to.deep.include({ why: 'directory', role: 'writer', user: user._id });
      await setRole('admins');
      expect(await rows()).to.deep.include({ why: 'member', role: 'manager', user: user._id });
    });
  });

  describe('when they change', () => {
    it('take away what a deleted rule gave, and nothing else', async () => {
      await setRules(staffHere(), staffHere({ value: 'maths', role: 'reader' }));
      const { user } = await signIn();
      const { rules } = (await asRoot('get', 'admin/group-rules')).body;
      await setRules(rules[1]);
      expect(await roleOf(user)).to.equal('readers');
      await setRules();
      expect(await roleOf(user)).to.equal('none');
      expect(JSON.stringify(await snapshot(oidc.app))).to.not.contain('maths');
    });

    it('apply to people without another sign-in, as far as their values are known', async () => {
      await setRules(staffHere());
      const { user } = await signIn();
      const { rules } = (await asRoot('get', 'admin/group-rules')).body;
      await setRules({ ...rules[0], role: 'manager' });
      expect(await roleOf(user), 'another role').to.equal('admins');
      const other = await buildGroup(oidc.app, manager);
      await setRules({ ...rules[0], folder: other._id });
      expect([await roleOf(user), await roleOf(user, other)], 'another folder').to.deep.equal([
        'none',
        'users',
      ]);
      await setRules({ ...rules[0], value: 'maths' });
      expect(await roleOf(user), 'another value').to.equal('users');
      await setRules({ ...rules[0], value: 'nobody' });
      expect(await roleOf(user)).to.equal('none');
    });

    // A lock of the process is held meanwhile.
    inProcessOnly.it('give nothing back to who has signed in without the value meanwhile', async () => {
      await setRules(staffHere());
      const { user } = await signIn();
      const other = await buildGroup(oidc.app, manager);
      const { store } = oidc.app.model;
      const key = keys.attributes(user._id);
      const reads = async () =>
        (await oidc.app.operations()).some((one) => 'key' in one && one.key === key && one.what === 'get');
      const { rules } = (await asRoot('get', 'admin/group-rules')).body;
      await oidc.app.operations();
      let saving: Promise<unknown> | undefined;
      await store.locked([keys.group(other._id)], async () => {
        saving = asRoot('put', 'admin/group-rules', {
          rules: [...rules, staffHere({ folder: other._id })],
        }).then(() => undefined);
        await until('the values of the person are read', reads);
        // As a sign-in stores them that takes nothing, because the person has no role in the other folder yet.
        const { known, ...record } = (await store.get<{ known: object }>(key)) ?? { known: {} };
        await store.set(key, { ...record, known: { ...known, 'oidc:school': { groups: [] } } });
      });
      await saving;
      await oidc.app.idle();
      expect(await roleOf(user, other)).to.equal('none');
    });

    it('are previewed: who gains, who loses, and nothing is changed', async () => {
      await setRules(staffHere());
      const [{ user }, { user: other }] = [await signIn(), await signIn({ ...eve, groups: ['maths'] })];
      const before = await snapshot(oidc.app);
      const preview = await asRoot('post', 'admin/group-rules/preview', {
        rules: [staffHere({ value: 'maths', role: 'reader', folder: undefined, managers: [manager.login] })],
      });
      expect(preview.body.losses).to.deep.equal({
        count: 1,
        rows: [{ user: user._id, folder: folder._id, name: folder.name, before: 'writer', after: null }],
      });
      const gained = { folder: null, name: 'maths', before: null, after: 'reader' };
      expect(preview.body.gains.rows).to.have.deep.members([
        { user: user._id, ...gained },
        { user: other._id, ...gained },
      ]);
      expect(preview.body).to.have.property('known', 2);
      expect(preview.body.users[other._id].login).to.equal('eve');
      expect(await snapshot(oidc.app)).to.deep.equal(before);
    });

    it('make a folder once, also when somebody comes in three windows at once', async () => {
      const { rules } = await setRules({ ...staffRule, managers: [manager.login] });
      oidc.server.present(ada);
      await Promise.all([oidc.browser().signIn(), oidc.browser().signIn(), oidc.browser().signIn()]);
      await signIn(eve);
      const own = Object.values<Group>((await asManager('get', 'group')).body.value.groups);
      const made = own.filter(({ name }) => name === 'staff');
      expect(made.map(({ admins, users }) => [admins, users.length])).to.deep.equal([[[manager.id], 2]]);
      const stored = (await asRoot('get', 'admin/group-rules')).body;
      expect(stored.rules).to.deep.equal([{ ...rules[0], folder: made[0]?._id }]);
      expect(stored.people).to.deep.equal({ [rules[0].id]: 2 });
      await setRules(...stored.rules);
      await signIn();
      expect(Object.values((await asManager('get', 'group')).body.value.groups)).to.have.length(own.length);
    });

    it('give nothing in a folder that was deleted, and do not make it again', async () => {
      await setRules(staffHere(), { ...staffRule, managers: [manager.login] });
      await signIn();
      const { rules } = (await asRoot('get', 'admin/group-rules')).body;
      for (const rule of rules) await asManager('delete', `group/${rule.folder}`);
      await oidc.app.idle();
      expect((await oidc.signIn()).status).to.equal(200);
      const stored = (await asRoot('get', 'admin/group-rules')).body;
      expect([stored.rules, stored.folders]).to.deep.equal([rules, {}]);
      await setRules(...rules);
      expect(Object.keys((await asManager('get', 'group')).body.value.groups)).to.deep.equal([]);
    });

    // A lock of the process is held meanwhile.
    inProcessOnly.it(
      'leave nothing in the account when the folder goes in the middle of a sign-in',
      async () => {
        await setRules(staffHere());
        const { user } = await signIn({ ...ada, groups: [] });
        const { store, users } = oidc.app.model;
        const listed = async () => (await users.get(user._id))?.groups;
        let signingIn: Promise<unknown> | undefined;
        await store.locked([keys.group(folder._id)], async () => {
          signingIn = signIn();
          await until('the account lists the folder', async () => (await listed())?.length === 1);
          await store.remove(keys.group(folder._id));
        });
        await signingIn;
        expect(await listed()).to.deep.equal([]);
      },
    );

    it('leave nothing of an account that is deleted', async () => {
      const going = await buildUser(oidc.app);
      await setRules(staffHere(), { ...staffRule, value: 'later', managers: [manager.login, going.login] });
      const { user } = await signIn();
      for (const login of ['ada', going.login]) await asRoot('delete', `user/${login}`, {});
      await oidc.app.idle();
      const left = JSON.stringify(await snapshot(oidc.app));
      expect([left.includes(user._id), left.includes(going.id)]).to.deep.equal([false, false]);
    });
  });

  it('can be changed while another one has lost its last manager', async () => {
    const going = await buildUser(oidc.app);
    const later = { ...staffRule, value: 'later', managers: [going.login] };
    await setRules(staffHere(), later);
    await asRoot('delete', `user/${going.login}`, {}).expect(200);
    await oidc.app.idle();
    const { rules } = (await asRoot('get', 'admin/group-rules')).body;
    const left = (await setRules(rules[1])).rules;
    expect(left.map(({ value, managers }: typeof later) => [value, managers])).to.deep.equal([['later', []]]);
    const refused = await asRoot('put', 'admin/group-rules', {
      rules: [...left, { ...later, managers: [] }],
    });
    expect(refused.body.reason).to.contain('neither a folder nor a manager');
  });

  describe('are refused', () => {
    it('with a reason that says which one is wrong', async () => {
      const stored = (await setRules(staffHere())).rules[0];
      const wrong = {
        'the folder "nowhere"': [staffHere({ folder: 'nowhere' })],
        'no such account': [{ ...staffRule, managers: ['nobody'] }],
        'neither a folder nor a manager': [{ ...staffRule, managers: [] }],
        'names neither a folder': [staffRule],
        'the provider "elsewhere"': [staffHere({ provider: 'elsewhere' })],
        'the id of another one': [stored, stored],
      };
      await checkEach(wrong, async (rules, reason) => {
        for (const path of ['admin/group-rules', 'admin/group-rules/preview'] as const) {
          const { status, body } = await asRoot(path.endsWith('w') ? 'post' : 'put', path, { rules });
          expect([status, body.error]).to.deep.equal([400, error('CONFIGURATION.GROUP_RULE')]);
          expect(body.reason).to.contain(reason).and.contain('"staff"');
        }
      });
      const invalid = {
        'an unknown source': [staffHere({ source: 'gossip' })],
        'no value': [staffHere({ value: ' ' })],
        'a long value': [staffHere({ value: 'x'.repeat(limits.attributeValue + 1) })],
        'an unknown role': [staffHere({ role: 'owner' })],
        'a provider of LDAP': [staffHere({ source: 'ldap' })],
        'an attribute that a record cannot have': [staffHere({ attribute: '__PROTO__' })],
        'too many': Array.from({ length: limits.groupRules + 1 }, () => staffRule),
      };
      await checkEach(invalid, async (rules) => {
        expect((await asRoot('put', 'admin/group-rules', { rules })).status).to.equal(400);
      });
      expect((await asRoot('get', 'admin/group-rules')).body.rules).to.deep.equal([stored]);
    });
  });
});
