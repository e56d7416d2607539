/** What the page of a pad shows of the app: title, links. For static/pad/hooks.ts. */
import {
  type Actor,
  isOpen,
  nothingUnlocked,
  padAbilities,
  padEntry,
  seesGroup,
} from '../model/access/permissions';
import type { Model } from '../model/model';
import type { GroupRecord, PadRecord } from '../model/store/entities';
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
  /** Whether the person may change the pad. The app reads its menu again when this changes. */
  canChange: boolean;
}

/** What a page shows, and the folder that it is about. */
export interface PlacedPage {
  page: PadPage;
  folder: string;
  /** May the person see the folder? If not, the page says nothing of it. */
  isFolderVisible: boolean;
}

/** The records that pages show. */
export interface PageRecords {
  pad(id: string): Promise<PadRecord | undefined>;
  group(id: string): Promise<GroupRecord | undefined>;
}

export const storedPageRecords = ({ pads, groups }: Model): PageRecords => ({
  pad: (id) => pads.find(id),
  group: (id) => groups.find(id),
});

/** Who has opened which pad. */
export interface PadVisit {
  padId: string;
  /** The id in the address: that of the pad, or its read-only id. People with the read-only id learn no other. */
  openedAs: string;
  actor: Actor;
}

const guest: Actor = { kind: 'guest', unlocked: nothingUnlocked };

/** `undefined` for pads that are not managed, and after a failure, which is logged. */
export async function padPage(
  { model, log }: Runtime,
  { padId, openedAs, actor }: PadVisit,
  records: PageRecords = storedPageRecords(model),
): Promise<PlacedPage | undefined> {
  try {
    const pad = await records.pad(padId);
    const group = pad && (await records.group(pad.group));
    if (!pad || !group) return undefined;
    const site = model.configuration.get('title');
    const policy = model.policy();
    const isVisible = seesGroup(actor, group, policy);
    // The id of a folder begins with its name. The app opens a pad without it too.
    const folder = `mypads/?/mypads/group/${isVisible ? encodeURIComponent(group._id) : '-'}`;
    // Other websites show the pad without the entry cookie, so as to a guest who has proved no password.
    const canEmbed = isOpen(padEntry(guest, pad, group, policy));
    const page: PadPage = {
      title: `${pad.name}${isVisible ? ` – ${group.name}` : ''} | ${site}`,
      address: `${folder}/pad/view/${encodeURIComponent(openedAs)}`,
      home: isVisible
        ? { address: `${folder}/view`, label: group.name }
        : { address: 'mypads/', label: site },
      canEmbed,
      canChange: padAbilities(actor, pad, group, policy).edit,
    };
    return { page, folder: group._id, isFolderVisible: isVisible };
  } catch (error) {
    log.warn('reading the title of a pad failed', { pad: padId, error: String(error) });
    return undefined;
  }
}
