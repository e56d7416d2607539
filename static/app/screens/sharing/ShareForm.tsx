import { type ReactNode, type RefObject, useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Pad } from '../../../../api/answers';
import { peopleOf } from '../../../../model/store/records';
import { displayName } from '../../components/Avatar';
import { Button } from '../../components/Button';
import { Form } from '../../components/Form';
import { toasts } from '../../components/Toasts';
import { useFirstFocus } from '../../components/useFirstFocus';
import { notSaved, useForm } from '../../components/useForm';
import { useAccess, useSharePad } from '../../data/access';
import { useSettings, useUser } from '../../data/configuration';
import { useAssignRoles, useUpdateGroup } from '../../data/folderChanges';
import { useGroups } from '../../data/folders';
import { useInvitations } from '../../data/invitations';
import { useUpdatePad } from '../../data/padChanges';
import { useRequests } from '../../data/requests';
import { lacksPassword } from '../../forms/lacksPassword';
import { navigate } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import type { OpenFolder } from '../folders/FolderScreen';
import { HelpLink } from '../guide/HelpLink';
import { useKnownPeople } from '../people/useKnownPeople';
import { AccessFields } from './AccessFields';
import {
  type AddedAs,
  assignmentOf,
  type Changes,
  changesOf,
  isGrant,
  type PadPeople,
  type Plan,
  padSharesOf,
} from './changes';
import { AbsentEntries, InviteOffer, PendingInvitations, splitAbsent } from './Invitations';
import { LinkField, useWhoGetsIn } from './LinkField';
import { LinksDialog } from './LinksDialog';
import { LoadingShareForm } from './LoadingShareForm';
import { LinksEntry } from './OwnLinks';
import { PadPeopleRoles } from './PadPeople';
import { AddPeople, PeopleRoles } from './PeopleFields';
import { FolderRequests } from './Requests';
import styles from './ShareForm.module.css';
import sharing from './Sharing.module.css';
import { type SelfChange, SelfQuestion, Summary } from './Summary';
import { useUndoSharing } from './useUndoSharing';
import { choiceOf, padPeopleIn, type ShareFormProps, type ShareValues } from './values';
import { WhoCanOpen } from './WhoCanOpen';

/** Saves who can open a folder or pad. */
function useSaveAccess({ group }: OpenFolder, pad: Pad | undefined) {
  const updateGroup = useUpdateGroup();
  const updatePad = useUpdatePad(pad?._id ?? '');
  return async ({ visibility, password }: ShareValues): Promise<void> => {
    const next = visibility ?? choiceOf(group, pad);
    const secret = next === 'private' && password !== '' ? { password } : {};
    if (visibility === null && password === '') return;
    if (next === 'folder') await updatePad.mutateAsync({ visibility: null, password: null });
    else if (pad !== undefined) await updatePad.mutateAsync({ visibility: next, ...secret });
    else await updateGroup.mutateAsync({ id: group._id, visibility: next, ...secret });
  };
}

function changesPeople({ entries, roles }: Plan): boolean {
  return entries.length > 0 || Object.keys(roles).length > 0;
}

/** Until it has been read with whom the pad is shared. */
const nobody: PadPeople = { people: [], roles: {} };

/** What the form changes in the folder. */
const planOf = ({ entries, roles }: ShareValues, as: AddedAs): Plan =>
  isGrant(as) ? { entries: [], roles, as: 'users' } : { entries, roles, as };

/** What it changes in the pad alone: usernames and email addresses by role. */
function padPlanOf({ entries, padRoles }: ShareValues, as: AddedAs, { people, roles }: PadPeople) {
  const shares = padSharesOf(roles, padRoles, (id) => people.find(({ _id }) => _id === id)?.login);
  if (isGrant(as)) shares[as].push(...entries);
  return shares;
}

/** Saves the form. Then closes the dialog, or starts the form again. */
function useSave(
  { folder, pad, onStay, onClose }: ShareFormProps,
  as: AddedAs,
  shared: PadPeople | undefined,
) {
  const { t } = useTranslation();
  const user = useUser();
  const assign = useAssignRoles(folder.id);
  const saveAccess = useSaveAccess(folder, pad);
  const { mutateAsync: sharePad } = useSharePad(pad?._id ?? '');
  const invitations = useInvitations(folder.id);
  const undoOf = useUndoSharing({ folder, pad }, saveAccess);
  return async (values: ShareValues, copied: boolean): Promise<void> => {
    const { group, people } = folder;
    const plan = planOf(values, as);
    const shares = padPlanOf(values, as, shared ?? nobody);
    // Before the people are saved, because afterwards the person may no longer be an administrator.
    await saveAccess(values);
    const sharesPad = Object.values(shares).some((logins) => logins.length > 0);
    const noAccount = sharesPad ? await sharePad(shares) : [];
    const sent = assignmentOf(group, plan, people);
    const answer = changesPeople(plan) ? await assign.mutateAsync(sent) : undefined;
    const { absent = [], value = group } = answer ?? {};
    const unknown = [...noAccount, ...absent];
    const split = splitAbsent(unknown, invitations.data?.canSend === true);
    const inside = user === undefined || peopleOf(value).includes(user._id);
    if (value.abilities.share && (unknown.length > 0 || copied)) return onStay({ as, ...split, copied });
    onClose();
    if (!inside) navigate(paths.folders, { replace: true });
    // With whom the pad was shared is not known while it is read.
    const isKnown = !sharesPad || shared !== undefined;
    const assigned = answer && { sent, answer };
    const ofPad = sharesPad ? shared && { sent: shares, before: shared } : undefined;
    const action = isKnown ? undoOf({ values, assigned, shared: ofPad }) : undefined;
    toasts.success(t('share.saved', { name: pad?.name ?? group.name }), action && { action });
  };
}

/** The form's values, and the question that precedes a change of the person's own role. */
function useShareForm(props: ShareFormProps, as: AddedAs, shared: PadPeople | undefined) {
  const { folder, pad, round } = props;
  const { group } = folder;
  const { t } = useTranslation();
  const user = useUser();
  const known = useKnownPeople(folder.people);
  const save = useSave(props, as, shared);
  const copying = useRef(false);
  const agreed = useRef(false);
  const [warning, setWarning] = useState<SelfChange | null>(null);
  const changes = (values: ShareValues): Changes =>
    changesOf(group, { ...values, as: isGrant(as) ? 'users' : as }, known, displayName, user?._id);

  const form = useForm<ShareValues>({
    initial: { entries: [...round.absent], roles: {}, padRoles: {}, visibility: null, password: '' },
    check: (values) => ({
      roles: changes(values).noAdmin ? t('peopleForm.lastAdmin') : undefined,
      password: lacksPassword(values, (pad ?? group).hasPassword)
        ? t(pad === undefined ? 'folderForm.password.required' : 'padForm.password.required')
        : undefined,
    }),
    submit: async (values) => {
      const { self } = changes(values);
      if (self !== null && !agreed.current) {
        setWarning(self);
        return notSaved;
      }
      const copied = copying.current;
      copying.current = false;
      agreed.current = false;
      return save(values, copied);
    },
  });
  return {
    form,
    changes: changes(form.values),
    warning,
    /** Says whether the link is copied when the form is saved. */
    setCopying(next: boolean): void {
      copying.current = next;
    },
    cancelWarning(): void {
      copying.current = false;
      setWarning(null);
    },
    /** The person agrees to lose access or their role: the next attempt saves without a question. */
    agree(): void {
      agreed.current = true;
      setWarning(null);
    },
  };
}

/** For managers of the folder: people and roles, who can open it, and the link. */
export function ShareForm(props: ShareFormProps) {
  const { requests = 0 } = useGroups().data ?? {};
  const { isPending } = useRequests(useUser() !== undefined);
  // Requests that come later would push the form away under the pointer.
  return requests > 0 && isPending ? <LoadingShareForm /> : <ReadyForm {...props} />;
}

function ReadyForm(props: ShareFormProps) {
  const { folder, pad, round } = props;
  const { group } = folder;
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const [chosen, setAs] = useState(round.as);
  const as = signedInOnly ? 'admins' : chosen;
  const saveButton = useRef<HTMLButtonElement>(null);
  const [shown, setShown] = useState<'links' | 'who' | null>(null);
  const access = useAccess({ group: group._id, pad: pad?._id }, pad !== undefined || shown === 'who');
  const shared = useMemo(() => pad && access.data && padPeopleIn(access.data), [pad, access.data]);
  const { form, changes, warning, setCopying, cancelWarning, agree } = useShareForm(props, as, shared);
  const [typing, setTyping] = useState(false);
  const { values } = form;
  const dirty = form.dirty || typing;
  // The offer to invite takes the focus itself.
  useFirstFocus(form.field('entries').id, !round.copied && round.invitable.length === 0);

  const next = values.visibility ?? choiceOf(group, pad);
  const whoGetsIn = useWhoGetsIn(next === 'folder' ? group.visibility : next);
  const sentence = useId();
  return (
    <>
      <FolderRequests group={group._id} />
      <InviteOffer group={group._id} pad={pad?._id} addresses={round.invitable} as={round.as} />
      <Form form={form}>
        <AbsentEntries group={group} absent={round.absent} />
        <AddPeople
          folder={folder}
          pad={pad}
          form={form}
          as={as}
          onAs={setAs}
          absent={round.absent}
          onTyping={setTyping}
        />
        <PadPeopleRoles shared={shared ?? nobody} form={form} />
        <PeopleRoles folder={folder} form={form} />
        <PendingInvitations group={group._id} pad={pad?._id} />
        {!signedInOnly && <LinksEntry onOpen={() => setShown('links')} />}
        {!signedInOnly && <AccessFields group={group} pad={pad} form={form} />}
        <div className={styles.entry}>
          <p id={sentence} className={sharing.note}>
            {whoGetsIn} <HelpLink page="sharing" about={t('share.button')} />
          </p>
          <Button small data-who onClick={() => setShown('who')}>
            {t('whoCan.button')}
          </Button>
        </div>
        <div className={styles.footer}>
          {form.dirty && (
            <Summary
              group={group._id}
              changes={changes}
              values={values}
              shared={shared ?? nobody}
              pad={pad !== undefined}
              absent={round.absent}
            />
          )}
          <ShareButtons {...props} saveButton={saveButton} dirty={dirty} busy={form.busy}>
            <LinkField
              compact
              path={pad ? paths.pad(group._id, pad._id) : paths.folder(group._id)}
              describedBy={sentence}
              submit={dirty ? t('share.saveAndCopy') : undefined}
              onCopy={() => {
                takeTyped();
                setCopying(dirty);
              }}
              copiedBefore={round.copied}
            />
          </ShareButtons>
        </div>
        {warning !== null && (
          <SelfQuestion
            self={warning}
            name={group.name}
            onCancel={cancelWarning}
            onAgree={() => {
              agree();
              saveButton.current?.form?.requestSubmit();
            }}
          />
        )}
      </Form>
      <ShareDetails {...props} shown={shown} access={access} onHide={() => setShown(null)} />
    </>
  );
}

interface ShareDetailsProps extends Pick<ShareFormProps, 'folder' | 'pad'> {
  shown: 'links' | 'who' | null;
  access: ReturnType<typeof useAccess>;
  onHide: () => void;
}

/** The dialogs over the form. Not inside it, because they have forms of their own. */
function ShareDetails({ folder: { group, pads }, pad, shown, access, onHide }: ShareDetailsProps) {
  const name = pad?.name ?? group.name;
  if (shown === 'who') return <WhoCanOpen name={name} query={access} onClose={onHide} />;
  if (shown === null) return null;
  return (
    <LinksDialog shared={{ group: group._id, pad: pad?._id }} name={name} pads={pads} onClose={onHide} />
  );
}

interface ShareButtonsProps extends Pick<ShareFormProps, 'onCancel' | 'onClose'> {
  saveButton: RefObject<HTMLButtonElement | null>;
  dirty: boolean;
  busy: boolean;
  /** Before the buttons. */
  children: ReactNode;
}

/**
 * Typed text becomes an entry when its field loses the focus. If a press on the button did that, the button would move
 * away under the pointer, and nothing would be saved.
 */
function takeTyped(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement) flushSync(() => activeElement.blur());
}

function ShareButtons({ saveButton, dirty, busy, children, onCancel, onClose }: ShareButtonsProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.buttons}>
      <div className={styles.copy}>{children}</div>
      {dirty && <Button onClick={onCancel}>{t('action.cancel')}</Button>}
      {dirty ? (
        <Button
          ref={saveButton}
          kind="primary"
          type="submit"
          busy={busy}
          onMouseDown={(event) => event.preventDefault()}
          onClick={takeTyped}
        >
          {t('share.save')}
        </Button>
      ) : (
        <Button onClick={onClose}>{t('share.done')}</Button>
      )}
    </div>
  );
}
