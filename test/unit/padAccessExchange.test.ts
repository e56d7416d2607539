import { expect } from 'chai';
import type { Model } from '../../model/model';
import { keys } from '../../model/store/store';
import { type PadVisitors, sessionOf, startPadVisitors } from '../support/padVisitors';
import type { TestPorts } from '../support/ports';

describe('tickets and passwords that open a pad', () => {
  let visitors: PadVisitors;
  let build: PadVisitors['build'];
  let entry: PadVisitors['entry'];
  let model: Model;
  let ports: TestPorts;
  let visit: PadVisitors['visit'];
  before(async () => {
    visitors = await startPadVisitors();
    ({ build, entry, model, ports, visit } = visitors);
  });
  after(() => visitors.close());

  describe('the exchange of a ticket or password from a URL', () => {
    const base64 = (text: string): string => Buffer.from(text).toString('base64');

    it('gives the session cookie for a ticket, once and for one pad only', async () => {
      const { pad, guest, member } = await build('restricted');
      const ticket = await model.tickets.create(sessionOf(member)._id, pad._id);
      expect(await model.padAccess.redeem({ padId: 'another', ticket, visitor: guest })).to.deep.equal({});
      const good = await model.tickets.create(sessionOf(member)._id, pad._id);
      const { entryToken } = await model.padAccess.redeem({ padId: pad._id, ticket: good, visitor: guest });
      expect(await entry(pad._id, await model.padAccess.visitor(entryToken))).to.equal('write');
      expect(await model.padAccess.redeem({ padId: pad._id, ticket: good, visitor: guest })).to.deep.equal(
        {},
      );
    });

    it('refuses a ticket after a minute, or when its session has ended', async () => {
      const { pad, guest, member } = await build('restricted');
      const late = await model.tickets.create(sessionOf(member)._id, pad._id);
      ports.advance(61_000);
      expect(await model.padAccess.redeem({ padId: pad._id, ticket: late, visitor: guest })).to.deep.equal(
        {},
      );
      const ended = await model.tickets.create(sessionOf(member)._id, pad._id);
      await model.sessions.end(sessionOf(member)._id);
      expect(await model.padAccess.redeem({ padId: pad._id, ticket: ended, visitor: guest })).to.deep.equal(
        {},
      );
    });

    it('does not accept an API token as a ticket', async () => {
      const { pad, guest, member } = await build('restricted');
      const owner = sessionOf(member).owner;
      const { token } = await model.sessions.create({ kind: 'user', owner, browser: undefined });
      expect(await model.padAccess.redeem({ padId: pad._id, ticket: token, visitor: guest })).to.deep.equal(
        {},
      );
      expect((await model.padAccess.visitor(token)).actor.kind).to.equal('guest');
    });

    it('does not replace the session of another signed-in person', async () => {
      const { pad, member, outsider } = await build('restricted');
      const ticket = await model.tickets.create(sessionOf(member)._id, pad._id);
      expect(await model.padAccess.redeem({ padId: pad._id, ticket, visitor: outsider })).to.deep.equal({});
    });

    it('gives a guest a session for the right password and nothing for a wrong one', async () => {
      const { pad, guest } = await build('private');
      const wrong = { padId: pad._id, password: base64('wrong'), visitor: guest };
      expect(await model.padAccess.redeem(wrong)).to.deep.equal({ wrongPassword: true });
      const right = { padId: pad._id, password: base64('of the group'), visitor: guest };
      const { entryToken } = await model.padAccess.redeem(right);
      expect(await entry(pad._id, await model.padAccess.visitor(entryToken))).to.equal('write');
    });

    it('stores a proved password in the existing session', async () => {
      const { pad, outsider } = await build('public', 'private');
      const exchange = { padId: pad._id, password: base64('of the pad'), visitor: outsider };
      expect(await model.padAccess.redeem(exchange)).to.deep.equal({});
      expect(await entry(pad._id, outsider)).to.equal('write');
    });

    it('ignores the password of a member, who needs none', async () => {
      const { pad, member } = await build('private');
      const before = await model.sessions.find(sessionOf(member)._id);
      const exchange = { padId: pad._id, password: base64('of the group'), visitor: member };
      expect(await model.padAccess.redeem(exchange)).to.deep.equal({});
      const after = await model.sessions.find(sessionOf(member)._id);
      expect(after?.unlocked).to.deep.equal(before?.unlocked);
    });

    it('creates no session for a pad without a password', async () => {
      const { pad, guest } = await build('restricted');
      const exchange = { padId: pad._id, password: base64('of the group'), visitor: guest };
      expect(await model.padAccess.redeem(exchange)).to.deep.equal({});
    });
  });

  describe('passwords stored by ep_mypads 1.x', () => {
    /** A known password in the format of ep_mypads 1.x. */
    const old = {
      salt: '00112233445566778899'.repeat(4),
      hash: 'f48f69ad2089ff9bce744383f0ea0734dd04ca98f5a455e0072940460311ffa35a0e6dfa1059e7accb20366cb468d1c36cdd3ad593a8e2b72fd501104242695c',
    };

    it('still work, and are stored in the current format at the first use', async () => {
      const { pad, group, outsider, guest } = await build('private');
      await model.store.set(keys.group(group._id), { ...group, password: old });
      const guarded = { what: 'group', id: group._id } as const;
      const proofs = await Promise.all(
        [outsider, await visit(sessionOf(outsider).owner)].map((visitor) =>
          model.unlocks.unlock(guarded, 'correct hörse', { session: sessionOf(visitor), browser: undefined }),
        ),
      );
      expect(proofs).to.not.include(undefined);
      expect((await model.groups.find(group._id))?.password).to.include({ scheme: 'bcrypt' });
      expect(await entry(pad._id, outsider)).to.equal('write');
      expect(await entry(pad._id, guest)).to.equal('password');
    });

    it('in plain text are refused', async () => {
      const { group, outsider } = await build('private');
      await model.store.set(keys.group(group._id), { ...group, password: 'plain' });
      const caller = { session: sessionOf(outsider), browser: undefined };
      expect(await model.unlocks.unlock({ what: 'group', id: group._id }, 'plain', caller)).to.equal(
        undefined,
      );
    });
  });
});
