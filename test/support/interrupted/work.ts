/** Work that a killed process leaves in the middle: the trash, exports and imports. */

import { ExportingPerson, exportSteps } from './exports';
import { ImportingPerson, importSteps } from './imports';
import { interrupt, type Place } from './steps';
import { trashSteps } from './trash';

/** The list of jobs: work that has begun and not ended. */
const jobs = 'mypads:jobs';

/** Each step is stopped before another write of its own records, or was answered. At most 16 calls run at a time. */
export async function interruptTrash(place: Place): Promise<void> {
  await interrupt(place, await trashSteps(place, ({ cuts }) => cuts));
}

/** The same for exports and imports. */
export async function interruptTransfers(place: Place): Promise<void> {
  await interrupt(place, [...(await exportSteps(place)), ...(await importSteps(place))]);
}

/** Nothing has begun. */
export async function interruptBeforeJobs(place: Place): Promise<void> {
  const asked = await ExportingPerson.make(place);
  const sent = await ImportingPerson.make(place);
  const before = 'the job is stored';
  const steps = await trashSteps(place, ({ cuts, from }) =>
    cuts.some(({ isLast }) => isLast) ? [{ before, keys: () => [jobs], end: from }] : [],
  );
  await interrupt(place, [
    ...steps,
    {
      title: `an export, killed before ${before}`,
      keys: [jobs],
      begin: () => asked.ask(),
      check: () => asked.expectNone(),
    },
    {
      title: `an import, killed before ${before}`,
      keys: [jobs],
      begin: () => sent.send(),
      check: () => sent.expectNone(),
    },
  ]);
}

/** Everything is done, and the jobs are still on the list. */
export async function interruptBeforeJobsEnd(place: Place): Promise<void> {
  const made = await ExportingPerson.make(place);
  const sent = await ImportingPerson.make(place);
  const before = 'the job is taken off the list';
  const steps = await trashSteps(place, ({ cuts }) =>
    cuts.filter(({ isLast }) => isLast).map((cut) => ({ ...cut, before })),
  );
  await interrupt(
    place,
    [
      ...steps,
      {
        title: `an export, killed before ${before}`,
        keys: [`read:${made.pads[2]}`, made.record],
        begin: () => made.ask(),
        check: () => made.expectReady(),
      },
      {
        title: `an import, killed before ${before}`,
        keys: [`mypads:pad:${sent.name}-b-two`, sent.record],
        begin: () => sent.send(),
        check: () => sent.expectDone(),
      },
    ],
    jobs,
  );
}
