import { useEffect, useRef, useState } from 'react';
import type { Group } from '../../../../api/answers';
import type { Invitation } from '../../../../api/invitation/schema';
import { limits } from '../../../../model/limits';
import { mailAddress } from '../../../../model/mail/address';
import { listOfRole, roleOfList } from '../../../../model/store/entities';
import { Button } from '../../components/Button';
import { classNames } from '../../components/classNames';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { TimeText } from '../../components/RelativeTime';
import { Select } from '../../components/Select';
import { Loading } from '../../components/States';
import { LengthCount, TextArea } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { useForm } from '../../components/useForm';
import { isError } from '../../data/client';
import { useInvitationChange, useInvitations, useInvite } from '../../data/invitations';
import { useIgnoreSecondPress } from '../../lib/secondPress';
import { languageOptions } from '../../shell/preferenceItems';
import { useErrorText } from '../../texts/errorText';
import { isolated, useTranslation } from '../../texts/i18n';
import { Absent } from '../people/Absent';
import { type AddedAs, isGrant, type Role } from './changes';
import styles from './Invitations.module.css';
import formStyles from './ShareForm.module.css';
import sharingStyles from './Sharing.module.css';

const padLists = ['readers', 'users'] as const;
const lists = [...padLists, 'admins'] as const;
/** Seconds, as the server waits between two emails of an invitation. */
const betweenEmails = 3600;

/** Entries without an account: addresses that can be invited, if the server sends email, and all others. */
export function splitAbsent(absent: readonly string[], canSend: boolean) {
  const isInvitable = (entry: string): boolean => canSend && mailAddress(entry) !== undefined;
  const invitable = absent.filter(isInvitable);
  return { invitable, absent: absent.filter((entry) => !isInvitable(entry)) };
}

/** Whether people who are added get an email. */
export function AddedHelp({ group }: { group: string }) {
  const { t } = useTranslation();
  const { data } = useInvitations(group);
  return t(data?.mailsAdded ? 'invitations.addedMail' : 'share.add.help');
}

interface AbsentEntriesProps {
  group: Group;
  absent: readonly string[];
}

/** Says which entries have no account, and why no address among them can be invited. */
export function AbsentEntries({ group, absent }: AbsentEntriesProps) {
  const { t } = useTranslation();
  const { data } = useInvitations(group._id);
  if (absent.length === 0) return null;
  const hasAddress = absent.some((entry) => mailAddress(entry) !== undefined);
  return (
    <>
      <Absent count={absent.length} />
      {hasAddress && data?.canSend === false && (
        <p className="muted">{t(group.abilities.link ? 'invitations.noMailLink' : 'invitations.noMail')}</p>
      )}
    </>
  );
}

interface InviteOfferProps {
  group: string;
  /** The id of the pad that is shared. */
  pad: string | undefined;
  addresses: readonly string[];
  as: AddedAs;
}

/** Offers to invite addresses that have no account. */
export function InviteOffer(props: InviteOfferProps) {
  const [left, setLeft] = useState(props.addresses);
  return left.length > 0 && <InviteForm {...props} addresses={left} onLeft={setLeft} />;
}

interface InviteFormProps extends InviteOfferProps {
  /** Called with those who are not invited yet. */
  onLeft: (left: readonly string[]) => void;
}

function InviteForm({ group, pad, addresses, as, onLeft }: InviteFormProps) {
  const { t, language, list } = useTranslation();
  const invite = useInvite(group);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const form = useForm({
    initial: { sentence: '', lang: language as string },
    submit: async ({ sentence, lang }) => {
      // The server takes a few in each call.
      for (let rest = addresses; rest.length > 0; rest = rest.slice(limits.invited)) {
        const loginsOrEmails = rest.slice(0, limits.invited);
        const to = isGrant(as) ? { pad, role: as } : { role: roleOfList[as] };
        await invite.mutateAsync({ loginsOrEmails, ...to, sentence: sentence.trim(), lang });
        onLeft(rest.slice(limits.invited));
      }
      toasts.success(t('invitations.sent'));
    },
  });
  return (
    <section className={styles.offer}>
      <Form form={form} label={t('invitations.offer.title')}>
        <h3 ref={heading} tabIndex={-1} className={sharingStyles.heading}>
          {t('invitations.offer.title')}
        </h3>
        <p>{t('invitations.offer.text')}</p>
        <p className={styles.addresses}>{list(addresses.map(isolated))}</p>
        <Field
          {...form.field('sentence')}
          label={t('invitations.sentence')}
          help={t('invitations.sentence.help')}
          aside={<LengthCount length={form.values.sentence.length} most={limits.sentence} />}
          optional
        >
          <TextArea {...form.text('sentence')} rows={2} maxLength={limits.sentence} />
        </Field>
        <Field {...form.field('lang')} label={t('invitations.language')}>
          <Select {...form.text('lang')} options={languageOptions} />
        </Field>
        <div className={formStyles.buttons}>
          <Button onClick={() => onLeft([])}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            {t('invitations.send')}
          </Button>
        </div>
      </Form>
    </section>
  );
}

interface PendingInvitationsProps {
  group: string;
  /** The id of the pad that is shared: then without invitations to other pads. */
  pad: string | undefined;
}

/** Addresses that were invited to the folder or a pad and have not accepted yet. */
export function PendingInvitations({ group, pad: of }: PendingInvitationsProps) {
  const { t } = useTranslation();
  const query = useInvitations(group);
  const { data } = query;
  if (data === undefined) {
    return (
      <Loading query={query} failed={t('invitations.failed')}>
        {null}
      </Loading>
    );
  }
  const pending = data.value.filter(({ pad }) => of === undefined || pad === null || pad._id === of);
  if (pending.length === 0) return null;
  return (
    <section className={sharingStyles.section}>
      <h3 className={sharingStyles.heading}>{t('invitations.list')}</h3>
      <ul className={sharingStyles.people} aria-label={t('invitations.list')}>
        {pending.map((invitation) => (
          <Pending key={invitation._id} group={group} invitation={invitation} />
        ))}
      </ul>
    </section>
  );
}

function Pending({ group, invitation }: { group: string; invitation: Invitation }) {
  const { t } = useTranslation();
  useIgnoreSecondPress();
  const errorText = useErrorText();
  const { setRole, resend, withdraw } = useInvitationChange(group);
  const { _id: id, address, role, pad } = invitation;
  const onError = (error: unknown): void => {
    // Other limits of emails last longer.
    const early =
      isError(error, 'BACKEND.ERROR.PERMISSION.TOO_MANY') && (error.retryAfter ?? 0) <= betweenEmails;
    toasts.error(early ? t('invitations.resend.early') : errorText(error));
  };
  const act = ({ mutateAsync }: { mutateAsync: (id: string) => Promise<unknown> }, done: string) =>
    mutateAsync(id).then(() => toasts.success(done), onError);
  const named = (text: string): string => t('text.detail', { text, detail: address });
  return (
    <li className={classNames(sharingStyles.person, styles.pending)}>
      <div className={sharingStyles.who}>
        <p className={sharingStyles.name}>{address}</p>
        <p className="muted">
          <MailState invitation={invitation} />
          {pad && ` · ${t('whoCan.onlyPad', { name: pad.name })}`}
        </p>
      </div>
      <div className={sharingStyles.choice}>
        <Select
          aria-label={t('share.role.of', { name: address })}
          value={listOfRole[setRole.isPending ? setRole.variables.role : role]}
          options={(pad ? padLists : lists).map((value) => ({ value, label: t(`share.role.${value}`) }))}
          onChange={({ target }) =>
            void setRole.mutateAsync({ id, role: roleOfList[target.value as Role] }).catch(onError)
          }
        />
      </div>
      <p className={styles.actions}>
        <Button
          small
          kind="quiet"
          busy={resend.isPending}
          aria-label={named(t('invitations.resend'))}
          onClick={() => act(resend, t('invitations.resent'))}
        >
          {t('invitations.resend')}
        </Button>
        <Button
          small
          kind="quiet"
          busy={withdraw.isPending}
          aria-label={named(t('invitations.withdraw'))}
          onClick={() => act(withdraw, t('invitations.withdrawn', { email: address }))}
        >
          {t('invitations.withdraw')}
        </Button>
      </p>
    </li>
  );
}

function MailState({ invitation: { mail, mailed } }: { invitation: Invitation }) {
  const { t } = useTranslation();
  if (mail === 'sent' && mailed !== null) return <TimeText text="invitations.mail.sent" time={mailed} />;
  return t(`invitations.mail.${mail === 'sent' ? 'waiting' : mail}`);
}
