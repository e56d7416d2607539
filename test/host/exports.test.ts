/** Exports from a real Etherpad: text, HTML and its own format, which it imports again; files, and a crash. */
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { hostCallerOf } from '../support/caller';
import { download, makeExport } from '../support/exports';
import type { Person } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';
import { readZip } from '../support/zips';

describe('an export from a real Etherpad', function () {
  this.timeout(120_000);
  const { etherpad, fixture, owner } = useEtherpad({ settings: {} });

  const callOf = (person: Pick<Person, 'token'>) => hostCallerOf(etherpad, person.token);
  const exported = (person: Pick<Person, 'token'>, body: object) => makeExport(callOf(person), body);

  /** The text of a pad into which somebody has imported the file. */
  async function importedText(group: string, file: string): Promise<unknown> {
    const copy = await fixture.pad(owner, group, { name: 'Copy' });
    const form = new FormData();
    form.append('file', new Blob([file]), 'minutes.etherpad');
    const imported = await etherpad.get(`/p/${copy}/import`, { method: 'POST', form, cookie: owner.cookie });
    expect(imported.status).to.equal(200);
    return (await etherpad.get(`/p/${copy}/export/txt`, { cookie: owner.cookie })).body;
  }

  it('of a revision that is no number is left to Etherpad', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const { status } = await etherpad.get(`/p/${pad}/word/export/txt`, { cookie: owner.cookie });
    expect(status).to.not.equal(503);
    expect(etherpad.log()).to.not.include('pad access check failed');
  });

  it('has the text, the web page and the history of a pad, without the chat', async () => {
    const group = await fixture.group(owner, { name: 'Class 5b' });
    const pad = await fixture.pad(owner, group, { name: 'Minutes <b>' });
    const editor = await PadClient.enter(etherpad, owner.cookie, pad);
    await editor.write('Hello, this is real & <kept>');
    await editor.say('a word in the chat');
    const { files, index } = await exported(owner, { group });
    const [entry] = index.folders[0]?.pads ?? [];
    expect(entry?.name).to.equal('Minutes <b>');
    expect(Object.keys(entry?.files ?? {})).to.have.members(['text', 'html', 'etherpad']);
    const contentOf = (kind: 'text' | 'html' | 'etherpad' | 'chat', from = files, of = entry) =>
      String(from.get(of?.files[kind] ?? ''));
    expect(contentOf('text')).to.include('Hello, this is real & <kept>');
    expect(contentOf('html'))
      .to.match(/<!doctype html>/i)
      .and.include('<title>Minutes &lt;b&gt;</title>')
      .and.include('real &amp; &lt;kept&gt;');
    const records = JSON.parse(contentOf('etherpad'));
    expect(records[`pad:${pad}`]).to.deep.include({ chatHead: -1 });
    expect(records[`pad:${pad}`].atext.text).to.include('Hello, this is real');
    const { head } = records[`pad:${pad}`];
    for (let number = 0; number <= head; number += 1)
      expect(records[`pad:${pad}:revs:${number}`]?.changeset, `revision ${number}`).to.be.a('string');
    const authors = Object.entries(records).filter(([key]) => key.startsWith('globalAuthor:'));
    expect(authors).to.have.length(1);
    expect(authors[0]?.[1]).to.deep.include({ padIDs: pad });
    expect(contentOf('etherpad')).to.not.include('a word in the chat');
    const whole = await exported(owner, { pads: [pad], formats: ['text', 'etherpad'], chat: true });
    const [withChat] = whole.index.folders[0]?.pads ?? [];
    expect(contentOf('chat', whole.files, withChat)).to.include('a word in the chat');
    expect(contentOf('etherpad', whole.files, withChat)).to.include('a word in the chat');
    editor.close();

    expect(await importedText(group, contentOf('etherpad'))).to.include('Hello, this is real & <kept>');
  });

  it('is taken by Etherpad again also if a message of the chat was never stored', async () => {
    const group = await fixture.group(owner, { name: 'Gap' });
    const pad = await fixture.pad(owner, group, { name: 'Gap' });
    const editor = await PadClient.enter(etherpad, owner.cookie, pad);
    await editor.write('with a chat');
    await editor.say('never stored');
    await editor.say('stored');
    editor.close();
    await etherpad.halt();
    // Etherpad counted a message before it stored it.
    appendFileSync(etherpad.databaseFile, `${JSON.stringify({ key: `pad:${pad}:chat:0` })}\n`);
    await etherpad.restart();
    const { files } = await exported(owner, { group, formats: ['etherpad'], chat: true });
    const file = String(files.get('Gap/Gap.etherpad'));
    expect(file).to.include('"stored"').and.not.include('never stored');
    expect(await importedText(group, file)).to.include('with a chat');
  });

  it('of all data has the pads in which the person has written, and no others', async () => {
    const person = await fixture.person('writer');
    const group = await fixture.group(person, { name: 'Own' });
    const pad = await fixture.pad(person, group, { name: 'Written' });
    await fixture.pad(person, group, { name: 'Untouched' });
    const editor = await PadClient.enter(etherpad, person.cookie, pad);
    await editor.write('by myself');
    editor.close();
    const { files, index } = await exported(person, { me: true, formats: ['text'] });
    expect(index.folders.flatMap(({ pads }) => pads.map(({ name }) => name))).to.deep.equal(['Written']);
    expect(String(files.get('Own/Written.txt'))).to.include('by myself');
    expect(JSON.parse(String(files.get('me.json'))).account.username).to.equal(person.login);
  });

  it('is there again after a crash, which leaves no file of anybody on the disk', async () => {
    const group = await fixture.group(owner, { name: 'Crash' });
    await fixture.pad(owner, group, { name: 'Kept' });
    const { id } = await exported(owner, { group, formats: ['text'] });
    const folder = path.join(etherpad.folder.root, 'var', 'ep_mypads', 'exports');
    const left = (): string[] =>
      existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
    expect(left().some((name) => name.endsWith(`${id}.zip`))).to.equal(true);
    await etherpad.kill9();
    await etherpad.restart();
    await until('the file of the killed process is gone', () => !left().some((name) => name.includes(id)));
    const files = readZip(await download(callOf(owner), id));
    expect([...files.keys()]).to.include('Crash/Kept.txt');
    await etherpad.halt();
    expect(left().filter((name) => name.endsWith('.zip'))).to.deep.equal([]);
  });
});
