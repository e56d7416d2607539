/** What a killed process leaves of exports. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { ExportAnswer } from '../../../api/export/schema';
import { hostCallerOf } from '../caller';
import type { RunningEtherpad } from '../etherpad';
import { download } from '../exports';
import { hostApi } from '../hostApi';
import { createFixture, type Person } from '../hostFixture';
import { until } from '../waiting';
import { readZip } from '../zips';
import { type Place, type Step, textOf } from './steps';

/** A person with a folder of three pads who exports it. */
export class ExportingPerson {
  key = '';

  private constructor(
    private readonly place: Place,
    readonly person: Person,
    readonly group: string,
    readonly pads: string[],
  ) {}

  static async make(place: Place): Promise<ExportingPerson> {
    const fixture = createFixture(place.victim);
    const person = await fixture.person('exporter');
    const group = await fixture.group(person, { name: 'Class' });
    const pads: string[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      const pad = await fixture.pad(person, group, { name });
      await hostApi(place.victim, 'setText', { padID: pad, text: `${textOf(pad)}\n` });
      pads.push(pad);
    }
    return new ExportingPerson(place, person, group, pads);
  }

  /** What this person has asked for. */
  get record(): string {
    return `mypads:exports:user:${this.person.id}`;
  }

  async ask(at = this.place.victim): Promise<number> {
    const body = { group: this.group, formats: ['text'] };
    const answer = await at.api('POST', 'exports', { token: this.person.token, body });
    this.key = (answer.body as { key?: string }).key ?? '';
    return answer.status;
  }

  async list(): Promise<ExportAnswer[]> {
    const { body } = await this.place.after.api('GET', 'exports', { token: this.person.token });
    return (body as { value: ExportAnswer[] }).value;
  }

  /** There is none, and another one can be made at once. */
  async expectNone(): Promise<void> {
    expect(await this.list()).to.deep.equal([]);
    expect(await this.ask(this.place.after), 'asking again').to.equal(200);
    await this.expectReady();
  }

  async untilReady(): Promise<void> {
    await until('the export is ready', async () => (await this.list())[0]?.state === 'ready');
  }

  /** There is one export, which is ready or becomes so, and its file has all pads. */
  async expectReady(): Promise<void> {
    await this.untilReady();
    const [found, ...others] = await this.list();
    expect(others).to.deep.equal([]);
    expect(found).to.deep.include({ state: 'ready', pads: 3, leftOut: 0 });
    const call = hostCallerOf(this.place.after, this.person.token);
    const files = readZip(await download(call, found?._id ?? ''));
    for (const [index, name] of ['One', 'Two', 'Three'].entries())
      expect(String(files.get(`Class/${name}.txt`))).to.include(textOf(this.pads[index] ?? ''));
  }
}

/** The files of exports that the process with this number has on the disk. */
export function exportFilesOf({ folder }: RunningEtherpad, pid: number): string[] {
  const own = path.join(folder.root, 'var', 'ep_mypads', 'exports', String(pid));
  return existsSync(own) ? readdirSync(own) : [];
}

export async function exportSteps(place: Place): Promise<Step[]> {
  const [unstored, half, made] = [
    await ExportingPerson.make(place),
    await ExportingPerson.make(place),
    await ExportingPerson.make(place),
  ];
  return [
    {
      title: 'an export, killed before it is stored',
      keys: [unstored.record],
      begin: () => unstored.ask(),
      check: () => unstored.expectNone(),
    },
    {
      title: 'an export, killed in the middle of its file',
      keys: [`read:${half.pads[1]}`],
      begin: () => half.ask(),
      check: () => half.expectReady(),
    },
    {
      title: 'an export, killed before it is ready',
      keys: [`read:${made.pads[2]}`, made.record],
      begin: () => made.ask(),
      check: () => made.expectReady(),
    },
  ];
}
