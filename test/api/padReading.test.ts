import { expect } from 'chai';
import type { PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type Call, callerOf, encodePassword } from '../support/caller';
import { buildPad, entryTokenOf } from '../support/factories';
import { usePeople } from '../support/people';

describe('reading pads', () => {
  const people = usePeople();
  const { alice, asAlice, asBob, asCarol, asRoot, asGuest, buildShared, buildSharedPad } = people;

  describe('reading one', () => {
    type Who = 'guest' | 'outsider' | 'user' | 'admin' | 'root';
    type Result = 200 | 'TYPE.PASSWORD_MISSING' | 'AUTHENTICATION.MUST_BE' | 'AUTHENTICATION.DENIED_RECORD';
    const missing = 'TYPE.PASSWORD_MISSING';
    const signIn = 'AUTHENTICATION.MUST_BE';
    const denied = 'AUTHENTICATION.DENIED_RECORD';
    const rows: {
      title: string;
      group: string;
      own?: string;
      is: Record<Who, Result>;
    }[] = [
      {
        title: 'a pad that inherits public',
        group: 'public',
        is: { guest: 200, outsider: 200, user: 200, admin: 200, root: 200 },
      },
      {
        title: 'an own public pad in a restricted group',
        group: 'restricted',
        own: 'public',
        is: { guest: 200, outsider: 200, user: 200, admin: 200, root: 200 },
      },
      {
        title: 'a pad that inherits private',
        group: 'private',
        is: { guest: missing, outsider: missing, user: 200, admin: 200, root: 200 },
      },
      {
        title: 'an own private pad in a public group',
        group: 'public',
        own: 'private',
        is: { guest: missing, outsider: missing, user: missing, admin: 200, root: 200 },
      },
      {
        title: 'a pad that inherits restricted',
        group: 'restricted',
        is: { guest: signIn, outsider: denied, user: 200, admin: 200, root: 200 },
      },
      {
        title: 'an own restricted pad in a public group',
        group: 'public',
        own: 'restricted',
        is: { guest: signIn, outsider: denied, user: 200, admin: 200, root: 200 },
      },
    ];
    const persons: Record<Who, string> = {
      guest: 'a guest',
      outsider: 'somebody who is not in the group',
      user: 'a user of the group',
      admin: 'an admin of the group',
      root: 'a server administrator',
    };

    function callOf(who: Who): Call {
      return { guest: asGuest, outsider: asCarol, user: asBob, admin: asAlice, root: asRoot }[who];
    }

    for (const { title, group: visibility, own, is } of rows) {
      for (const who of Object.keys(persons) as Who[]) {
        it(`gives ${persons[who]} ${is[who] === 200 ? 'the record of' : `${is[who]} at`} ${title}`, async () => {
          const group = await buildShared({ visibility, password: 'of the group' });
          const pad = await buildPad(
            people.app,
            alice,
            group,
            own ? { visibility: own, password: 'of the pad' } : {},
          );
          const { status, body } = await callOf(who)('get', `pad/${pad._id}`);
          if (is[who] === 200) {
            expect(body.value).to.include({ _id: pad._id, name: pad.name });
            return;
          }
          expect([status, body]).to.deep.equal([401, { error: `BACKEND.ERROR.${is[who]}`, key: pad._id }]);
        });
      }
    }

    it('asks a guest to sign in in the signed-in-only mode, and shows everybody else the pad (W9)', async () => {
      await people.app.model.configuration.set('allPadsPublicsAuthentifiedOnly', true);
      try {
        for (const visibility of ['public', 'restricted']) {
          const pad = await buildPad(people.app, alice, await buildShared({ visibility }));
          const refused = await asGuest('get', `pad/${pad._id}`);
          expect(refused.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.MUST_BE');
          expect((await asCarol('get', `pad/${pad._id}`)).status).to.equal(200);
        }
      } finally {
        await people.app.model.configuration.set('allPadsPublicsAuthentifiedOnly', false);
      }
    });

    it('answers 404 for a pad that does not exist, whose group is gone, or that is being removed', async () => {
      const group = await buildShared();
      const [orphan, removing] = [
        await buildPad(people.app, alice, group),
        await buildPad(people.app, alice, group),
      ];
      await people.app.model.store.update<PadRecord>(
        keys.pad(orphan._id),
        (pad) => pad && { ...pad, group: 'gone' },
      );
      await people.app.model.store.set(keys.deletePad(removing._id), removing._id);
      for (const id of ['nothing-here', orphan._id, removing._id]) {
        const { status, body } = await asAlice('get', `pad/${id}`);
        expect([status, body.error]).to.deep.equal([404, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND']);
      }
    });

    it('shows the last change, `null` where nobody has written', async () => {
      const pad = await buildPad(people.app, alice, await buildShared());
      const time = async () => (await asAlice('get', `pad/${pad._id}`)).body.value.lastUpdate;
      expect(await time()).to.equal(null);
      await people.app.model.pads.touch(pad._id);
      expect(await time()).to.be.a('number');
    });
  });

  describe('passwords', () => {
    it('the password of the group opens pads that inherit it, and no other (W8)', async () => {
      const group = await buildShared({ visibility: 'private', password: 'of the group' });
      const inherits = await buildPad(people.app, alice, group);
      const own = await buildPad(people.app, alice, group, { visibility: 'private', password: 'of the pad' });
      const answer = await asGuest('get', `pad/${inherits._id}?password=${encodePassword('of the group')}`);
      expect(answer.body.value.abilities.enter).to.equal('write');
      expect(entryTokenOf(answer)).to.not.equal('');
      const call = callerOf(people.app, answer.body.token);
      expect((await call('get', `group/${group._id}`)).body.value.pads).to.deep.equal([inherits._id]);
      expect((await call('get', `pad/${own._id}`)).body.error).to.equal(
        'BACKEND.ERROR.TYPE.PASSWORD_MISSING',
      );
      const wrong = await call('post', `pad/${own._id}/unlock`, { password: 'of the group' });
      expect([wrong.status, wrong.body.error]).to.deep.equal([401, 'BACKEND.ERROR.PERMISSION.UNAUTHORIZED']);
      const right = await call('post', `pad/${own._id}/unlock`, { password: 'of the pad' });
      expect(right.status).to.equal(200);
      expect(right.body.token).to.equal(undefined);
      expect((await call('get', `pad/${own._id}`)).status).to.equal(200);
    });

    it('a password that is not needed is not checked', async () => {
      const { pad } = await buildSharedPad();
      const { body } = await asGuest('post', `pad/${pad._id}/unlock`, { password: 'x' });
      expect(body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.MUST_BE');
      expect((await asBob('post', `pad/${pad._id}/unlock`, { password: 'x' })).status).to.equal(200);
    });
  });

  describe('ispublic', () => {
    it('does not reveal that a pad exists that is not public (W11)', async () => {
      const open = await buildPad(people.app, alice, await buildShared({ visibility: 'public' }));
      const closed = await buildPad(people.app, alice, await buildShared());
      for (const [id, ispublic] of [
        [open._id, true],
        [closed._id, false],
        ['nothing-here', false],
      ] as const) {
        const { status, body } = await asGuest('get', `pad/ispublic/${id}`);
        expect([status, body]).to.deep.equal([200, { success: true, key: id, ispublic }]);
      }
    });
  });
});
