/** What a killed process leaves of the texts that it reads for the search. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunningEtherpad } from '../etherpad';
import { hostApi } from '../hostApi';
import { createFixture, type Person, untilAccountsAreIndexed } from '../hostFixture';
import { command, moveClock, runTimers, untilHeld } from '../severalEtherpads';
import { until } from '../waiting';
import type { Place } from './steps';

const count = 40;
const all = Array.from({ length: count }, (_, number) => number);

/** Reads the texts that have changed. */
async function read(at: RunningEtherpad): Promise<void> {
  await moveClock(at, 10 * 60_000);
  await runTimers(at, ['read changed texts']);
}

/** `undefined` if it has gone: other processes have files in the folder too. */
function contentsOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The files with texts of this process. It has none before it reads texts for the first time. */
export function textFilesOf({ folder: { root }, pid }: RunningEtherpad): string[] {
  const folder = path.join(root, 'var', 'ep_mypads');
  const names = readdirSync(folder);
  const own = names
    .filter((name) => /^texts-\d+\.db\.pid$/.test(name))
    .find((name) => contentsOf(path.join(folder, name)) === String(pid()));
  if (own === undefined) return [];
  const [file = ''] = own.split('.pid');
  return names.filter((name) => name.startsWith(file)).map((name) => path.join(folder, name));
}

/** Whether a word is in the files of this process. */
function isStored(word: string, at: RunningEtherpad): boolean {
  const files = textFilesOf(at);
  if (files.length === 0) throw new Error('the process has no file with texts');
  // The folder that locks the file comes and goes.
  const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return files.some((file) => isFile(file) && readFileSync(file).includes(word));
}

/** A person with a folder of many pads, in whose texts they search. */
class SearchingPerson {
  private constructor(
    private readonly place: Place,
    private readonly person: Person,
    private readonly pads: readonly string[],
  ) {}

  static async make(place: Place): Promise<SearchingPerson> {
    const { victim } = place;
    const fixture = createFixture(victim);
    const person = await fixture.person('searcher');
    const group = await fixture.group(person);
    const pads: string[] = [];
    for (const number of all) {
      const pad = await fixture.pad(person, group);
      await hostApi(victim, 'setText', { padID: pad, text: `everywhere, and only here${number}x\n` });
      pads.push(pad);
    }
    return new SearchingPerson(place, person, pads);
  }

  /** `undefined` while the index of the records is built. */
  private async found(
    text: string,
    at: RunningEtherpad,
  ): Promise<{ count: number; complete: boolean } | undefined> {
    const { status, body } = await at.api('GET', `search?text=${text}`, { token: this.person.token });
    return status === 200 ? (body as { count: number; complete: boolean }) : undefined;
  }

  /** All these texts are found, each of them once. */
  private async expectComplete(there: readonly number[], at: RunningEtherpad): Promise<void> {
    await until('all texts are read', async () => {
      await read(at);
      const found = await this.found('everywhere', at);
      return found?.complete === true && found.count === there.length;
    });
    for (const number of there)
      expect((await this.found(`here${number}x`, at))?.count, `pad ${number}`).to.equal(1);
  }

  /** In the process that was killed, when it runs again, and in the other one. */
  private async killed(check: (at: RunningEtherpad) => Promise<void>): Promise<void> {
    const { victim, after, kill } = this.place;
    await kill();
    if (after !== victim) {
      await check(after);
      await moveClock(after, 0);
      await victim.restart();
      await untilAccountsAreIndexed(victim);
    }
    await check(victim);
  }

  async interruptReading(): Promise<void> {
    const { victim } = this.place;
    const key = `read:${this.pads[count / 2]}`;
    await command(victim, { do: 'holdWrites', keys: [key] });
    await until(
      'the index of the records is there',
      async () => (await this.found('everywhere', victim)) !== undefined,
    );
    await read(victim);
    await untilHeld(victim, key);
    await this.killed((at) => this.expectComplete(all, at));
  }

  /** At so many moments, which follow from `seed`. */
  async interruptAnywhere(seed: number, rounds: number): Promise<void> {
    const { victim } = this.place;
    for (let round = 0; round < rounds; round += 1) {
      await createFixture(victim).configure('searchTexts', false);
      await read(victim);
      // It is another one.
      await until(
        'the file is empty',
        () => textFilesOf(victim).length > 0 && !isStored('everywhere', victim),
      );
      await createFixture(victim).configure('searchTexts', true);
      await read(victim);
      await pause(((seed * (round + 7919)) % 997) / 2);
      await this.killed((at) => this.expectComplete(all, at));
    }
  }

  async interruptDeletion(): Promise<void> {
    const { victim } = this.place;
    const [pad = ''] = this.pads;
    expect(isStored('here0x', victim), 'the text of the pad').to.equal(true);
    // Its removal is noted then. One that is not even noted is not continued.
    const key = `mypads:pad:${pad}`;
    await command(victim, { do: 'holdWrites', keys: [key] });
    const { token } = this.person;
    const removed = victim.api('DELETE', `pad/${pad}?permanent=true`, { token }).catch(() => 'cut');
    await untilHeld(victim, key);
    await this.killed(async (at) => {
      await this.expectComplete(all.slice(1), at);
      await until('its text is not stored', () => !isStored('here0x', at));
      expect((await this.found('here0x', at))?.count).to.equal(0);
    });
    expect(await removed).to.equal('cut');
  }
}

/** After each kill all texts are found once, and none of a deleted pad is stored. */
export async function interruptTexts(place: Place, seed: number, rounds = 2): Promise<void> {
  const searching = await SearchingPerson.make(place);
  await searching.interruptReading();
  await searching.interruptAnywhere(seed, rounds);
  await searching.interruptDeletion();
}
