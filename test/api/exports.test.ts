/** Exports over HTTP: who gets what, what the ZIP file says, names in it, and when it ends. */
import { expect } from 'chai';
import { callerOf } from '../support/caller';
import { makeExport } from '../support/exports';
import { buildPad } from '../support/factories';
import { usePeople } from '../support/people';

describe('exports', () => {
  const people = usePeople();
  const { alice, asAlice, buildShared } = people;

  it('have the texts of a folder, and say what is in it', async () => {
    const group = await buildShared({ name: 'Class 5b' });
    await buildPad(people.app, alice, group, { name: 'Minutes' });
    setTimeout(() => console.log(people.app.ports.lines.slice(-8)), 4000);
    const { index, files, text } = await makeExport(asAlice, { group: group._id });
    console.log(JSON.stringify(index, null, 1), [...files.keys()], text('index.html'));
    const me = await makeExport(asAlice, { me: true });
    console.log(me.text('me.json'));
  });
});
