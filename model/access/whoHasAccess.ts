/** Lists who can open a group or a pad, and why. It says in rows what `padEntry` of permissions.ts decides for each. */
import {
  type GrantRole,
  type GroupRecord,
  type LinkRecord,
  listOfRole,
  type PadRecord,
  roleOfList,
} from '../store/entities';
import { currentLinks } from '../store/records';
import { roleByRule } from '../store/ruleGrants';
import { effectiveSettings, type Policy } from './permissions';

/** One way in. `needsPassword`: only with the password of the pad. */
export type AccessRow =
  /** `directory`: by a rule of the server. */
  | { why: 'member' | 'directory'; user: string; role: 'manager' | GrantRole; needsPassword: boolean }
  /** The pad alone is shared with the person. */
  | { why: 'pad'; user: string; role: GrantRole; pad: PadRecord }
  | { why: 'link'; role: GrantRole; link: LinkRecord }
  /** Once they accept. `pad`: the pad alone. */
  | {
      why: 'invited';
      role: 'manager' | GrantRole;
      address: string;
      pad?: string | undefined;
      needsPassword: boolean;
    }
  | { why: 'password' | 'everybody' | 'signedIn'; role: 'writer' };

function members(group: GroupRecord, needsPassword: boolean): AccessRow[] {
  const { admins, users, readers } = group;
  const row = (role: 'manager' | GrantRole, needs: boolean) => (user: string) => {
    // Somebody who has more than rules give is here because people have given it.
    const why = roleByRule(group, user) === listOfRole[role] ? 'directory' : 'member';
    return { why, user, role, needsPassword: needs } as const;
  };
  return [
    ...admins.map(row('manager', false)),
    ...users.map(row('writer', needsPassword)),
    ...readers.map(row('reader', needsPassword)),
  ];
}

/** `of`: without invitations to other pads. */
const invited = (
  { invitations }: GroupRecord,
  { now }: Policy,
  { of, needsPassword = false }: { of?: PadRecord; needsPassword?: boolean } = {},
): AccessRow[] =>
  invitations
    .filter(({ expires, pad }) => now < expires && (!of || !pad || pad === of._id))
    .map(({ address, role, pad }) => {
      const needs = needsPassword && pad === undefined && role !== 'admins';
      return { why: 'invited', address, role: roleOfList[role], pad, needsPassword: needs };
    });

const shares = (pad: PadRecord): AccessRow[] =>
  Object.entries(pad.people ?? {}).map(([user, role]) => ({ why: 'pad', user, role, pad }));

const isRunning =
  ({ now }: Policy) =>
  ({ ends }: LinkRecord): boolean =>
    ends === null || now < ends;

function general(visibility: GroupRecord['visibility']): AccessRow[] {
  if (visibility === 'restricted') return [];
  return [{ why: visibility === 'public' ? 'everybody' : 'password', role: 'writer' }];
}

/** While only the sign-in counts, roles decide who manages, and nobody comes by a link or a share. */
function signedInOnly(group: GroupRecord): AccessRow[] {
  return [{ why: 'signedIn', role: 'writer' }, ...members(group, false)];
}

/** `pads`: those of the group. Rows of shares, links and invitations to single pads are listed too. */
export function groupAccess(group: GroupRecord, pads: readonly PadRecord[], policy: Policy): AccessRow[] {
  if (policy.allPadsPublicsAuthentifiedOnly) return signedInOnly(group);
  const links = currentLinks(group).filter(isRunning(policy));
  return [
    ...members(group, false),
    ...invited(group, policy),
    ...pads.flatMap(shares),
    ...links.map((link): AccessRow => ({ why: 'link', role: link.role, link })),
    ...general(group.visibility),
  ];
}

export function padAccess(pad: PadRecord, group: GroupRecord, policy: Policy): AccessRow[] {
  if (policy.allPadsPublicsAuthentifiedOnly) return signedInOnly(group);
  const { visibility, passwordOf } = effectiveSettings(pad, group);
  const inherits = (pad.visibility ?? null) === null;
  const needsPassword = passwordOf === 'pad';
  const links = currentLinks(group)
    .filter(isRunning(policy))
    .filter((link) => (link.pad === undefined ? inherits : link.pad === pad._id));
  return [
    ...members(group, needsPassword),
    ...invited(group, policy, { of: pad, needsPassword }),
    ...shares(pad),
    ...links.map((link): AccessRow => ({ why: 'link', role: link.role, link })),
    ...general(visibility),
  ];
}
