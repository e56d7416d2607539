/** Requests for access to a group or one of its pads. permissions.ts says who may ask. */
import { randomBytes } from 'node:crypto';
import { mayAskForAccess, nothingUnlocked, type Policy } from '../access/permissions';
import { recordNotFound } from '../errors';
import { lifetimes, limits } from '../limits';
import {
  type GrantRole,
  type GroupRecord,
  listOfRole,
  type PadRecord,
  type RequestRecord,
} from '../store/entities';
import { withGiven } from '../store/ruleGrants';
import type { GroupContent } from './groupContent';
import type { GroupCheck, GroupRecords } from './groupRecords';

/** `pad`: missing for a request about the group. */
export interface RequestInput {
  user: string;
  pad?: string | undefined;
  text: string;
}

/** A new request. `isMailed`: the managers have had no mail for a while. */
export interface NewRequest {
  request: RequestRecord;
  group: GroupRecord;
  isMailed: boolean;
}

export interface GroupRequests {
  /**
   * Adds a request, and removes open ones that are not needed any more. Resolves to `undefined` if there is nothing to
   * add: this one is not needed, the person has asked before, or there are too many requests. Throws KEY_NOT_FOUND.
   */
  addRequest(group: string, input: RequestInput, isNeeded: IsNeeded): Promise<NewRequest | undefined>;
  /**
   * Gives the person a role in the group, for a request about it. Throws KEY_NOT_FOUND.
   */
  grantRequest(group: string, request: string, role: GrantRole, check?: GroupCheck): Promise<GroupRecord>;
  /** Throws KEY_NOT_FOUND. */
  declineRequest(group: string, request: string, check?: GroupCheck): Promise<GroupRecord>;
  /** Removes those of these requests that are there. Throws KEY_NOT_FOUND without the group. */
  removeRequests(group: string, requests: readonly string[]): Promise<GroupRecord>;
}

/** Whether the person has not yet got what they ask for in another way. */
export type IsNeeded = (group: GroupRecord, request: RequestInput) => boolean;

/** The requests that nobody has answered, the oldest first. */
export const openRequests = ({ requests }: Pick<GroupRecord, 'requests'>): RequestRecord[] =>
  requests.filter(({ declined }) => declined === undefined);

export function isNeeded(
  group: GroupRecord,
  { user }: Pick<RequestInput, 'user'>,
  policy: Policy,
  pad: PadRecord | undefined,
): boolean {
  return mayAskForAccess({ kind: 'user', id: user, unlocked: nothingUnlocked }, group, policy, pad);
}

/** The open requests that managers are shown, with the pads that they are about. */
export function neededRequests(
  { group, pads }: Pick<GroupContent, 'group' | 'pads'>,
  policy: Policy,
): { request: RequestRecord; pad: PadRecord | undefined }[] {
  return openRequests(group).flatMap((request) => {
    const pad = pads.find(({ _id }) => _id === request.pad);
    const isThere = request.pad === undefined || pad !== undefined;
    return isThere && isNeeded(group, request, policy, pad) ? [{ request, pad }] : [];
  });
}

/** Throws KEY_NOT_FOUND when it is answered, or was never there. */
export function openRequest(group: Pick<GroupRecord, 'requests'>, id: string): RequestRecord {
  const request = openRequests(group).find(({ _id }) => _id === id);
  if (request === undefined) throw recordNotFound(id);
  return request;
}

/** Without requests that were declined long ago, and without the oldest of too many declined ones. */
function keptRequests(requests: readonly RequestRecord[], now: number): RequestRecord[] {
  const recent = requests.filter(
    ({ declined }) => declined !== undefined && Math.abs(now - declined) < lifetimes.declinedRequest,
  );
  const declined = new Set(recent.slice(-limits.requests));
  return requests.filter((request) => request.declined === undefined || declined.has(request));
}

export const withoutRequest = (group: GroupRecord, id: string): GroupRecord => ({
  ...group,
  requests: group.requests.filter(({ _id }) => _id !== id),
});

interface RequestContext {
  records: GroupRecords;
  now: () => number;
}

function createAsking({ records, now }: RequestContext): Pick<GroupRequests, 'addRequest'> {
  return {
    async addRequest(groupId, input, isStillNeeded) {
      const { user, pad, text } = input;
      let added: Omit<NewRequest, 'group'> | undefined;
      const group = await records.change(groupId, (current) => {
        const requests = keptRequests(current.requests, now()).filter(
          (one) => one.declined !== undefined || isStillNeeded(current, one),
        );
        const isAgain = requests.some((one) => one.user === user && one.pad === pad);
        const isFull = openRequests({ requests }).length >= limits.requests;
        if (isAgain || isFull || !isStillNeeded(current, input)) return undefined;
        const created = now();
        const own = { _id: randomBytes(9).toString('base64url'), user, text, created };
        const request: RequestRecord = pad === undefined ? own : { ...own, pad };
        // Also when the clock was ahead at the last mail.
        const isMailed = Math.abs(created - (current.requestsMailed ?? 0)) >= lifetimes.requestMail;
        added = { request, isMailed };
        const mailed = isMailed ? { requestsMailed: created } : {};
        return { after: { ...current, ...mailed, requests: [...requests, request] }, changed: ['requests'] };
      });
      return added && { ...added, group };
    },
  };
}

export function createGroupRequests({ records, now }: RequestContext): GroupRequests {
  /** Changes an open request under the lock of its group. */
  async function answer(
    groupId: string,
    id: string,
    check: GroupCheck | undefined,
    change: (group: GroupRecord, request: RequestRecord) => GroupRecord,
    changed: string[],
  ): Promise<GroupRecord> {
    return records.change(groupId, (current) => {
      check?.(current);
      const after = change(current, openRequest(current, id));
      return { after: { ...after, requests: keptRequests(after.requests, now()) }, changed };
    });
  }

  return {
    ...createAsking({ records, now }),

    grantRequest(group, id, role, check) {
      const list = listOfRole[role];
      const change = (current: GroupRecord, { user }: RequestRecord) =>
        withoutRequest(withGiven(current, [user], list), id);
      return answer(group, id, check, change, ['requests', list]);
    },

    declineRequest: (group, id, check) =>
      answer(
        group,
        id,
        check,
        (current) => ({
          ...current,
          // What the person wrote is not needed any more.
          requests: current.requests.map((one) =>
            one._id === id ? { ...one, text: '', declined: now() } : one,
          ),
        }),
        ['requests'],
      ),

    removeRequests: (group, ids) =>
      records.change(group, (current) => {
        const requests = current.requests.filter(({ _id }) => !ids.includes(_id));
        return { after: { ...current, requests }, changed: ['requests'] };
      }),
  };
}
