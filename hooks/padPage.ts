/** What the page of a pad shows of the app: title, links. For static/pad/hooks.ts. */
import type { Actor } from '../model/access/permissions';
import { groupSight } from '../model/access/permissions';
import type { Runtime } from './runtime';

export interface PadPage {
  /** Title of the browser tab: "Minutes – Board | MyPads", as in the app. */
  title: string;
  /** The pad in the app. Relative to Etherpad's root, like all addresses here. */
  address: string;
  /** Where the button "home" leads: the folder, or the app for people who may not see the folder. */
  home: { address: string; label: string };
  /** Whether the code for showing the pad in other websites works. */
  canEmbed: boolean;
}

/** `undefined` for pads that are not managed, and after a failure, which is logged. */
export async function padPage(
  { model, log }: Runtime,
  padId: string,
  actor: Actor,
): Promise<PadPage | undefined> {
  try {
    const pad = await model.pads.find(padId);
    const group = pad && (await model.groups.find(pad.group));
    if (!pad || !group) return undefined;
    const site = model.configuration.get('title');
    const isVisible = groupSight(actor, group, model.policy()) !== 'no';
    // The id of a folder begins with its name. The app opens a pad without it too.
    const folder = `mypads/?/mypads/group/${isVisible ? encodeURIComponent(group._id) : '-'}`;
    return {
      title: `${pad.name}${isVisible ? ` – ${group.name}` : ''} | ${site}`,
      address: `${folder}/pad/view/${encodeURIComponent(padId)}`,
      home: isVisible
        ? { address: `${folder}/view`, label: group.name }
        : { address: 'mypads/', label: site },
      canEmbed: !model.configuration.get('allPadsPublicsAuthentifiedOnly'),
    };
  } catch (error) {
    log.warn('reading the title of a pad failed', { pad: padId, error: String(error) });
    return undefined;
  }
}
