/** Templates: pads with whose text new ones begin. Who may make one, who may use it, and what the new pad gets. */
import { expect } from 'chai';
import { dateFormat } from '../../model/dateFormat';
import { useTestApp } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { buildGroup, buildPad } from '../support/factories';
import { useAdmin, usePerson } from '../support/people';

describe('templates over HTTP', () => {
  const app = useTestApp();
  const aliceFields = { firstname: 'Alice', lastname: 'Ash', lang: 'fr' };
  const { user: alice, call: asAlice } = usePerson(app, before, aliceFields);
  const { user: bob, call: asBob } = usePerson(app, before);
  const { user: carol, call: asCarol } = usePerson(app, before);
  const asAdmin = useAdmin(app, before);
  afterEach(() => asAdmin('put', 'configuration/templatesFolder', { value: '' }).expect(200));

  /** A folder of Alice with a template. */
  async function template(group: Record<string, unknown> = {}, pad: Record<string, unknown> = {}) {
    const folder = await buildGroup(app, alice, group);
    const { _id } = await buildPad(app, alice, folder, pad);
    await asAlice('put', `pad/${_id}`, { template: true }).expect(200);
    return { folder: folder._id, pad: _id };
  }

  const create = (call: Call, group: string, from: unknown, fields = {}) =>
    call('post', 'pad', { name: 'Board', group, template: from, ...fields });

  it('fill in day, title and name, and give nothing else to the new pad', async () => {
    const { folder, pad } = await template({}, { readonly: true, visibility: 'private', password: 'p' });
    await app.writeText(pad, '{{title}} on {{date}} by {{name}}\n');
    const { status, body } = await create(asAlice, folder, pad);
    expect(status, JSON.stringify(body)).to.equal(200);
    const date = dateFormat('fr')(app.model.now());
    expect(await app.readText(body.key)).to.equal(`Board on ${date} by Alice Ash\n`);
    expect(body.value).to.deep.include({ name: 'Board', group: folder, visibility: null, readonly: null });
    expect(body.value.template).to.equal(undefined);
    expect(body.value.lastUpdate).to.be.a('number');
    expect(await app.readText(pad)).to.equal('{{title}} on {{date}} by {{name}}\n');
  });

  it('are shown as such in pads and summaries, until they are none any more', async () => {
    const { folder, pad } = await template({ users: [bob.id] });
    const summary = async () => (await asBob('get', 'overview')).body.value.groups[folder].templates;
    const shown = async () => (await asBob('get', `group/${folder}`)).body.pads[pad].template;
    expect((await summary()).map(({ _id }: { _id: string }) => _id)).to.deep.equal([pad]);
    expect(await shown()).to.equal(true);
    await asAlice('put', `pad/${pad}`, { name: 'Renamed' }).expect(200);
    expect(await shown()).to.equal(true);
    await asAlice('put', `pad/${pad}`, { template: false }).expect(200);
    expect([await summary(), await shown()]).to.deep.equal([undefined, undefined]);
  });

  it('are made by managers of the folder and administrators', async () => {
    const { pad } = await template({ users: [bob.id], readers: [carol.id] });
    for (const call of [asBob, asCarol])
      expect((await call('put', `pad/${pad}`, { template: false })).status).to.equal(401);
    expect((await callerOf(app)('put', `pad/${pad}`, { template: false })).status).to.equal(401);
    await asAdmin('put', `pad/${pad}`, { template: false }).expect(200);
  });

  it('are used by those who can open them and create pads there; nobody learns of others', async () => {
    const own = (await buildGroup(app, bob))._id;
    const { pad } = await template();
    const open = await template({ readers: [bob.id] });
    const locked = await template({ users: [bob.id] }, { visibility: 'private', password: 'p' });
    const [plain] = [(await buildPad(app, bob, { _id: own }))._id];
    const outcome = async (call: Call, from: unknown) => {
      const { status, body } = await create(call, own, from);
      return [status, body.error, body.field];
    };
    const unknown = [400, 'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND', 'template'];
    const offered = async () => (await asBob('get', 'overview')).body.value.groups[locked.folder].templates;
    for (const from of [pad, locked.pad, plain, 'nothing-here'])
      expect(await outcome(asBob, from), from).to.deep.equal(unknown);
    expect((await outcome(asBob, open.pad))[0]).to.equal(200);
    expect(await offered()).to.equal(undefined);
    await asBob('post', `pad/${locked.pad}/unlock`, { password: 'p' }).expect(200);
    expect((await outcome(asBob, locked.pad))[0]).to.equal(200);
    expect(await offered()).to.have.length(1);
    expect((await outcome(asCarol, open.pad))[1]).to.equal('BACKEND.ERROR.AUTHENTICATION.DENIED');
    expect((await outcome(callerOf(app), open.pad))[0]).to.equal(401);
    expect((await outcome(asAdmin, pad))[0]).to.equal(200);
    expect((await outcome(asBob, 5)).slice(0, 1)).to.deep.equal([400]);
  });

  it('of one folder are for everyone who is signed in, if an administrator says so', async () => {
    const { folder, pad } = await template();
    await app.writeText(pad, 'For {{name}}\n');
    const own = (await buildGroup(app, bob))._id;
    await asAdmin('put', 'configuration/templatesFolder', {
      value: `https://pads.example.org/mypads/?/mypads/group/${folder}/view`,
    }).expect(200);
    const { templates } = (await asBob('get', 'overview')).body.value;
    expect(templates.map(({ _id }: { _id: string }) => _id)).to.deep.equal([pad]);
    const { body } = await create(asBob, own, pad).expect(200);
    expect(await app.readText(body.key)).to.equal(`For ${bob.login}\n`);
    expect((await asBob('get', `pad/${pad}`)).status, 'the template itself stays closed').to.equal(401);
    await asAlice('put', `pad/${pad}`, { template: false }).expect(200);
    expect((await asBob('get', 'overview')).body.value.templates).to.equal(undefined);
    expect((await create(asBob, own, pad)).status).to.equal(400);
  });

  it('leave nothing behind when the new pad cannot be listed', async () => {
    const { pad } = await template();
    const own = await buildGroup(app, bob);
    await asAdmin('put', 'configuration/templatesFolder', {
      value: (await asAlice('get', `pad/${pad}`)).body.value.group,
    });
    const before = await app.ports.database.findKeys('mypads:pad:*', null);
    await asBob('delete', `group/${own._id}`).expect(200);
    expect((await create(asBob, own._id, pad)).status).to.equal(400);
    expect(await app.ports.database.findKeys('mypads:pad:*', null)).to.deep.equal(before);
  });
});
