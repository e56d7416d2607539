/** What is missing in an Etherpad. test/host/failClosed.test.ts shows that no pad opens then. */
import { expect } from 'chai';
import { type Host, missingIn } from '../../host/requirements';

/** An Etherpad that has everything. */
const complete: Host = {
  load: () => new Proxy({}, { get: (_, name) => (name === 'sessioninfos' ? {} : () => {}) }),
  read: () =>
    ['handleMessage', 'clientVars', 'onAccessCheck', 'import', 'expressConfigure', 'socketio', 'padLoad']
      .concat('padRemove', 'CLIENT_READY', 'CHANGESET_REQ', 'COLLABROOM', 'USER_CHANGES')
      .map((name) => `call('${name}')`)
      .join(';'),
};

describe('what the plugin needs of Etherpad', () => {
  it('is complete in an Etherpad that has all of it', () => {
    expect(missingIn(complete)).to.deep.equal([]);
  });

  it('names a hook that Etherpad does not call any more', () => {
    const read = (module: string): string => complete.read(module).replace("'clientVars'", "'padVars'");
    expect(missingIn({ ...complete, read })).to.deep.equal(["node/handler/PadMessageHandler: 'clientVars'"]);
  });

  it('names a function, and every name of a module that is gone', () => {
    const load = (module: string): Record<string, unknown> => {
      if (module === 'node/db/ReadOnlyManager') throw new Error('no such module');
      return complete.load(module);
    };
    expect(missingIn({ ...complete, load })).to.deep.equal([
      'node/db/ReadOnlyManager: isReadOnlyId()',
      'node/db/ReadOnlyManager: getPadId()',
    ]);
    const keepsPads = (module: string): Record<string, unknown> =>
      module === 'node/db/PadManager'
        ? { doesPadExist() {}, getPad() {}, isValidPadId() {}, sanitizePadId() {} }
        : complete.load(module);
    // With several processes, a pad that stays in memory would overwrite what another process has written.
    expect(missingIn({ ...complete, load: keepsPads })).to.deep.equal(['node/db/PadManager: unloadPad()']);
    const withoutTable = (): Record<string, unknown> => ({ handleMessage() {}, handleDisconnect() {} });
    expect(missingIn({ ...complete, load: withoutTable })).to.include(
      'node/handler/PadMessageHandler: sessioninfos',
    );
  });
});
