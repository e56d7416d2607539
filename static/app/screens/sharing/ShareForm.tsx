import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Pad } from '../../../../api/answers';
import { peopleOf } from '../../../../model/store/records';
import { displayName } from '../../components/Avatar';
import { Button } from '../../components/Button';
import { Form } from '../../components/Form';
import { toasts } from '../../components/Toasts';
import { notSaved, useForm } from '../../components/useForm';
import { useSettings, useUser } from '../../data/configuration';
import { useAssignRoles, useUpdateGroup } from '../../data/folderChanges';
import { useInvitations } from '../../data/invitations';
import { useUpdatePad } from '../../data/padChanges';
import { lacksPassword } from '../../forms/lacksPassword';
import { navigate } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import type { OpenFolder } from '../folders/FolderScreen';
import { useKnownPeople } from '../people/useKnownPeople';
import { AccessFields } from './AccessFields';
import { assignmentOf, type Changes, changesOf, type Plan, type Role } from './changes';
import { AbsentEntries, InviteOffer, PendingInvitations, splitAbsent } from './Invitations';
import { LinkField } from './LinkField';
import linkStyles from './Links.module.css';
import { LinksDialog } from './LinksDialog';
import { AddPeople, PeopleRoles } from './PeopleFields';
import styles from './Sharing.module.css';
import { type SelfChange, SelfQuestion, Summary } from './Summary';
import { choiceOf, type ShareFormProps, type ShareValues } from './values';

/** Saves who can open a folder or pad. */
function useSaveAccess({ group }: OpenFolder, pad: Pad | undefined) {
  const updateGroup = useUpdateGroup(group._id);
  const updatePad = useUpdatePad(pad?._id ?? '');
  return async ({ visibility, password }: ShareValues): Promise<void> => {
    const next = visibility ?? choiceOf(group, pad);
    const secret = next === 'private' && password !== '' ? { password } : {};
    if (visibility === null && password === '') return;
    if (next === 'folder') await updatePad.mutateAsync({ visibility: null, password: null });
    else if (pad !== undefined) await updatePad.mutateAsync({ visibility: next, ...secret });
    else await updateGroup.mutateAsync({ visibility: next, ...secret });
  };
}

function changesPeople({ entries, roles }: Plan): boolean {
  return entries.length > 0 || Object.keys(roles).length > 0;
}

/** Saves the form. Then closes the dialog, or starts the form again. */
function useSave({ folder, pad, onStay, onClose }: ShareFormProps, as: Role) {
  const { t } = useTranslation();
  const user = useUser();
  const assign = useAssignRoles(folder.id);
  const saveAccess = useSaveAccess(folder, pad);
  const invitations = useInvitations(folder.id);
  return async (values: ShareValues, copied: boolean): Promise<void> => {
    const { group, people } = folder;
    const plan = { ...values, as };
    // Before the people are saved, because afterwards the person may no longer be an administrator.
    await saveAccess(values);
    const answer = changesPeople(plan)
      ? await assign.mutateAsync(assignmentOf(group, plan, people))
      : undefined;
    const { absent: unknown = [], value = group } = answer ?? {};
    const split = splitAbsent(unknown, invitations.data?.canSend === true);
    const inside = user === undefined || peopleOf(value).includes(user._id);
    if (value.abilities.share && (unknown.length > 0 || copied)) return onStay({ as, ...split, copied });
    onClose();
    if (!inside) navigate(paths.folders, { replace: true });
    toasts.success(t('share.saved', { name: pad?.name ?? group.name }));
  };
}

/** The form's values, and the question that precedes a change of the person's own role. */
function useShareForm(props: ShareFormProps, as: Role) {
  const { folder, pad, round } = props;
  const { group } = folder;
  const { t } = useTranslation();
  const user = useUser();
  const known = useKnownPeople(folder.people);
  const save = useSave(props, as);
  const copying = useRef(false);
  const agreed = useRef(false);
  const [warning, setWarning] = useState<SelfChange | null>(null);
  const changes = (values: ShareValues): Changes =>
    changesOf(group, { ...values, as }, known, displayName, user?._id);

  const form = useForm<ShareValues>({
    initial: { entries: [...round.absent], roles: {}, visibility: null, password: '' },
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

/** For administrators of the folder: people and roles, who can open it, and the link. */
export function ShareForm(props: ShareFormProps) {
  const { folder, pad, round, onDirty } = props;
  const { group } = folder;
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const [chosen, setAs] = useState(round.as);
  const as = signedInOnly ? 'admins' : chosen;
  const saveButton = useRef<HTMLButtonElement>(null);
  const { form, changes, warning, setCopying, cancelWarning, agree } = useShareForm(props, as);
  const [typing, setTyping] = useState(false);
  const [showsLinks, setShowsLinks] = useState(false);
  const { values } = form;
  const dirty = form.dirty || typing;
  // A layout effect, so that the dialog knows of a change before the next key: Escape then asks first.
  useLayoutEffect(() => onDirty(dirty), [dirty, onDirty]);
  const entriesId = form.field('entries').id;
  const takesFocus = !round.copied && round.invitable.length === 0;
  useEffect(() => {
    // On a touch screen the keyboard would cover the dialog. The offer to invite takes the focus itself.
    if (takesFocus && matchMedia('(pointer: fine)').matches) document.getElementById(entriesId)?.focus();
  }, [entriesId, takesFocus]);

  const next = values.visibility ?? choiceOf(group, pad);
  return (
    <>
      <InviteOffer group={group._id} addresses={round.invitable} as={round.as} />
      <Form form={form}>
        <AbsentEntries group={group._id} absent={round.absent} />
        <AddPeople
          folder={folder}
          pad={pad}
          form={form}
          as={as}
          onAs={setAs}
          absent={round.absent}
          onTyping={setTyping}
        />
        {!signedInOnly && <AccessFields group={group} pad={pad} form={form} />}
        <LinkField
          path={pad ? paths.pad(group._id, pad._id) : paths.folder(group._id)}
          visibility={next === 'folder' ? group.visibility : next}
          submit={dirty ? t('share.saveAndCopy') : undefined}
          onCopy={() => {
            takeTyped();
            setCopying(dirty);
          }}
          copiedBefore={round.copied}
        />
        {!signedInOnly && (
          <div className={linkStyles.entry}>
            <p className={styles.note}>{t('links.hint')}</p>
            <Button small onClick={() => setShowsLinks(true)}>
              {t('links.manage')}
            </Button>
          </div>
        )}
        <PeopleRoles folder={folder} form={form} />
        <PendingInvitations group={group._id} />
        <div className={styles.footer}>
          {form.dirty && (
            <Summary changes={changes} values={values} pad={pad !== undefined} absent={round.absent} />
          )}
          <ShareButtons {...props} saveButton={saveButton} dirty={dirty} busy={form.busy} />
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
      {showsLinks && (
        <LinksDialog
          shared={{ group: group._id, pad: pad?._id }}
          name={pad?.name ?? group.name}
          pads={folder.pads}
          onClose={() => setShowsLinks(false)}
        />
      )}
    </>
  );
}

interface ShareButtonsProps extends Pick<ShareFormProps, 'onCancel' | 'onClose'> {
  saveButton: RefObject<HTMLButtonElement | null>;
  dirty: boolean;
  busy: boolean;
}

/**
 * Typed text becomes an entry when its field loses the focus. If a press on the button did that, the button would move
 * away under the pointer, and nothing would be saved.
 */
function takeTyped(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement) flushSync(() => activeElement.blur());
}

function ShareButtons({ saveButton, dirty, busy, onCancel, onClose }: ShareButtonsProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.buttons}>
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
        <Button kind="primary" onClick={onClose}>
          {t('share.done')}
        </Button>
      )}
    </div>
  );
}
