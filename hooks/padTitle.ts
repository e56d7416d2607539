/** The title of the browser tab of a pad that is opened outside of the app. */
import type { Actor } from '../model/access/permissions';
import { groupSight } from '../model/access/permissions';
import type { Runtime } from './runtime';

/**
 * "Minutes – Board | MyPads", as in the app. `undefined` for pads that are not managed, and after a failure, which is
 * logged. Names the folder only to those who may see it.
 */
export async function padTitle(
  { model, log }: Runtime,
  padId: string,
  actor: Actor,
): Promise<string | undefined> {
  try {
    const pad = await model.pads.find(padId);
    const group = pad && (await model.groups.find(pad.group));
    if (!pad || !group) return undefined;
    const place = groupSight(actor, group, model.policy()) === 'no' ? '' : ` – ${group.name}`;
    return `${pad.name}${place} | ${model.configuration.get('title')}`;
  } catch (error) {
    log.warn('reading the title of a pad failed', { pad: padId, error: String(error) });
    return undefined;
  }
}
