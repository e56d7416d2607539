/**
 * Ends invitations whose time is over, reminds people of those that they have not answered, and begins mails that were
 * never begun.
 */

import { type Actor, groupAbilities, nothingUnlocked, type Policy } from '../access/permissions';
import { isUnproved } from '../accounts/unprovedAddress';
import type { Users } from '../accounts/user';
import type { GroupRecords } from '../folders/groupRecords';
import { lifetimes } from '../limits';
import { groupsOfNotes } from '../removal/partNotes';
import type { Basics } from '../store/basics';
import { inBatches } from '../store/batches';
import type { GroupRecord, InvitationRecord } from '../store/entities';
import { peopleOf } from '../store/records';
import { keys } from '../store/store';
import { readTrashedGroup, readTrashedPad, readVanishedPad } from '../store/trashNotes';
import type { InvitationMail } from './invitationMail';
import type { InvitationNote } from './invitations';

export interface InvitationSweepContext extends Pick<Basics, 'store' | 'log' | 'now'> {
  records: GroupRecords;
  users: Pick<Users, 'findByEmail'>;
  mails: Pick<InvitationMail, 'begin' | 'beginMissing' | 'hasRoomForReminder'>;
  policy: () => Policy;
}

/** A note is written before its invitation, which must be there after this time. */
const forWriting = 3600_000;

/** Reads all notes of invitations, in batches. For background work. */
export class InvitationSweep {
  constructor(private readonly context: InvitationSweepContext) {}

  async run(signal: AbortSignal): Promise<void> {
    const { store, records } = this.context;
    const prefix = keys.invitation('');
    await inBatches(
      await store.scan(prefix),
      async (part) => {
        const notes = await store.getMany<InvitationNote>(part);
        const places = await groupsOfNotes(store, notes);
        const groups = await records.findMany(places.flatMap((place) => place ?? []));
        for (const [index, key] of part.entries()) {
          const note = notes[index];
          const place = places[index];
          if (note !== undefined)
            await this.check(key.slice(prefix.length), { ...note, group: place ?? note.group }, groups);
        }
      },
      { signal },
    );
  }

  /** It is restored with its group or its pad. */
  private async mayReturn({ group, pad = '' }: InvitationNote): Promise<boolean> {
    const [ofPad, ofGroup] = await this.context.store.getMany<unknown>([
      keys.deletePad(pad),
      keys.deleteGroup(group),
    ]);
    return (readTrashedPad(ofPad) ?? readVanishedPad(ofPad) ?? readTrashedGroup(ofGroup)) !== undefined;
  }

  /** Its group or pad was restored after they were read. */
  private async hasReturned(id: string, note: InvitationNote): Promise<boolean> {
    const [place = ''] = await groupsOfNotes(this.context.store, [note]);
    const group = await this.context.records.find(place);
    return group?.invitations.some(({ _id }) => _id === id) === true;
  }

  private async check(
    id: string,
    note: InvitationNote,
    groups: ReadonlyMap<string, GroupRecord>,
  ): Promise<void> {
    const { store, mails, now } = this.context;
    const group = groups.get(note.group);
    const invitation = group?.invitations.find(({ _id }) => _id === id);
    if (group === undefined || invitation === undefined) {
      const isOld = now() >= note.created + forWriting;
      if (!isOld || (await this.mayReturn(note)) || (await this.hasReturned(id, note))) return;
      await store.remove(keys.invitation(id));
    } else if (now() >= invitation.expires) {
      await this.end(group._id, id);
    } else if (invitation.mail === 'waiting') {
      // The process may have ended after it had stored the invitation, and before the job of its mail.
      await mails.beginMissing(group._id, id);
    } else if (this.needsReminder(invitation) && !(await this.isInside(group, invitation))) {
      await this.remind(group, invitation);
    }
  }

  private async end(group: string, id: string): Promise<void> {
    const { store, records, now, log } = this.context;
    let isOver = false;
    await records.change(group, (current) => {
      const left = current.invitations.filter(({ _id, expires }) => _id !== id || now() < expires);
      isOver = left.length < current.invitations.length;
      return isOver ? { after: { ...current, invitations: left }, changed: ['invitations'] } : undefined;
    });
    if (!isOver) return;
    await store.remove(keys.invitation(id));
    log.info('invitation expired', { group });
  }

  private needsReminder({ mail, reminded, created, mailed }: InvitationRecord): boolean {
    return (
      mail === 'sent' && !reminded && this.context.now() >= (mailed ?? created) + lifetimes.untilReminder
    );
  }

  /** They got in another way, for example by a rule of the server. The invitation stays for when that ends. */
  private async isInside(group: GroupRecord, { address, pad }: InvitationRecord): Promise<boolean> {
    const account = await this.context.users.findByEmail(address);
    if (account === undefined || isUnproved(account)) return false;
    return pad === undefined && peopleOf(group).includes(account._id);
  }

  /** Once. Not in the name of somebody who may not invite any more. */
  private async remind({ _id: group }: GroupRecord, { _id: id }: InvitationRecord): Promise<void> {
    const { records, mails, policy } = this.context;
    // Later, so that the first mails of other invitations do not wait behind all reminders.
    if (!(await mails.hasRoomForReminder())) return;
    let isMeant = false;
    await records.change(group, (current) => {
      const found = current.invitations.find((one) => one._id === id);
      if (found === undefined || !this.needsReminder(found)) return undefined;
      const actor = ({ by }: InvitationRecord): Actor =>
        by === null ? { kind: 'admin' } : { kind: 'user', id: by, unlocked: nothingUnlocked };
      isMeant = groupAbilities(actor(found), current, policy()).share;
      const invitations = current.invitations.map((one) =>
        one._id === id ? { ...one, reminded: true } : one,
      );
      return { after: { ...current, invitations }, changed: ['invitations'] };
    });
    if (isMeant) await mails.begin(group, id, 'invitationreminder');
  }
}
