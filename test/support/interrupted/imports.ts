/** What a killed process leaves of imports. */
import { expect } from 'chai';
import type { ImportProgress } from '../../../api/padImport/schema';
import { createFixture, type Person } from '../hostFixture';
import { until } from '../waiting';
import { zipOf } from '../zips';
import type { Place, Step } from './steps';

/** A person who imports a ZIP with two folders, whose pads have names that nobody else's have. */
export class ImportingPerson {
  key = '';

  private constructor(
    private readonly place: Place,
    readonly person: Person,
    /** The beginning of all ids. */
    readonly name: string,
    private readonly zip: Buffer,
  ) {}

  static async make(place: Place): Promise<ImportingPerson> {
    const person = await createFixture(place.victim).person('importer');
    const name = person.login;
    const files = Object.fromEntries(
      ['a', 'b'].flatMap((folder) =>
        ['one', 'two'].map((pad) => [
          `${name}-${folder}/${name}-${folder}-${pad}.txt`,
          `Text ${folder} ${pad} of ${name}`,
        ]),
      ),
    );
    return new ImportingPerson(place, person, name, await zipOf(files));
  }

  get record(): string {
    return `mypads:padimport:${this.person.id}`;
  }

  async send(at = this.place.victim): Promise<number> {
    const answer = await fetch(`${at.url}/mypads/api/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.person.token}`, 'content-type': 'application/zip' },
      body: new Uint8Array(this.zip),
    });
    this.key = ((await answer.json()) as { key?: string }).key ?? '';
    return answer.status;
  }

  async progress(at = this.place.after): Promise<ImportProgress> {
    const { status, body } = await at.api('GET', `imports/${this.key}`, { token: this.person.token });
    expect(status).to.equal(200);
    return body as ImportProgress;
  }

  async untilEnded(): Promise<ImportProgress> {
    let progress = await this.progress();
    await until('the import has ended', async () => {
      progress = await this.progress();
      return progress.state !== 'running';
    });
    return progress;
  }

  /** By name, the pads that the person sees in folders of these names, with their folder and their text. */
  async pads(): Promise<Record<string, string[]>> {
    const { after } = this.place;
    const { body } = await after.api('GET', 'group', { token: this.person.token });
    const { groups, pads } = (
      body as {
        value: {
          groups: Record<string, { name: string; pads: string[] }>;
          pads: Record<string, { name: string }>;
        };
      }
    ).value;
    const found: Record<string, string[]> = {};
    for (const group of Object.values(groups)) {
      for (const id of group.pads) {
        const { body: text } = await after.get(`/p/${id}/export/txt`, { cookie: this.person.cookie });
        const name = pads[id]?.name ?? '';
        found[name] = [...(found[name] ?? []), `${group.name}: ${String(text).trim()}`];
      }
    }
    return found;
  }

  /** Everything is there `times` times, and the editor has no pad that no folder lists. */
  async expectPads(times: number): Promise<void> {
    const wanted = ['a', 'b'].flatMap((folder) =>
      ['one', 'two'].map((pad) => [
        `${this.name}-${folder}-${pad}`,
        Array.from({ length: times }, () => `${this.name}-${folder}: Text ${folder} ${pad} of ${this.name}`),
      ]),
    );
    expect(await this.pads()).to.deep.equal(Object.fromEntries(times === 0 ? [] : wanted));
    const keys = await this.place.keysWith([`${this.name}-`]);
    const ofEditor = keys.filter((key) => new RegExp(`^pad:${this.name}-[^:]*$`).test(key));
    expect(ofEditor, 'pads of the editor').to.have.length(4 * times);
  }

  /** Nothing was made, and the files can be sent again. */
  async expectNone(): Promise<void> {
    await this.expectPads(0);
    expect(await this.send(this.place.after), 'sending it again').to.equal(200);
    await this.expectDone();
  }

  async expectDone(): Promise<void> {
    const { state, failed, pads, groups } = await this.untilEnded();
    expect([state, failed.length, pads.length, groups.length]).to.deep.equal(['done', 0, 4, 2]);
    await this.expectPads(1);
  }
}

/** Two imports run at a time. */
export async function importSteps(place: Place): Promise<Step[]> {
  const [unstored, folder, pad] = [
    await ImportingPerson.make(place),
    await ImportingPerson.make(place),
    await ImportingPerson.make(place),
  ];
  return [
    {
      title: 'an import, killed before it is stored',
      keys: [unstored.record],
      begin: () => unstored.send(),
      check: () => unstored.expectNone(),
    },
    {
      title: 'an import, killed before its second folder is stored',
      keys: [`mypads:group:${folder.name}-b`],
      begin: () => folder.send(),
      check: () => folder.expectDone(),
    },
    {
      title: 'an import, killed before its second pad is listed',
      keys: [`mypads:pad:${pad.name}-a-two`, `mypads:group:${pad.name}-a`],
      begin: () => pad.send(),
      check: () => pad.expectDone(),
    },
  ];
}
