import { useState } from 'react';
import type { Pad } from '../../../../api/answers';
import type { Link } from '../../../../api/link/schema';
import { dateFormatter } from '../../../../model/dateFormat';
import { limits } from '../../../../model/limits';
import { grantRoles } from '../../../../model/store/entities';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { CopyField } from '../../components/CopyField';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TimeText } from '../../components/RelativeTime';
import { Select } from '../../components/Select';
import { Loading, SkeletonRows } from '../../components/States';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { useSettings } from '../../data/configuration';
import { type Shared, useEndLink, useLinks, useMakeLink } from '../../data/links';
import { toUrl } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { HelpLink } from '../guide/HelpLink';
import styles from './Links.module.css';

export interface LinksDialogProps {
  shared: Shared;
  /** Of the folder or pad. */
  name: string;
  /** The pads of the folder, by id: its links are listed too. */
  pads: Readonly<Record<string, Pick<Pad, 'name'>>>;
  onClose: () => void;
}

/** The links of a folder or a pad: making, copying and ending them. */
export function LinksDialog({ shared, name, pads, onClose }: LinksDialogProps) {
  const { t } = useTranslation();
  const links = useLinks(shared);
  const [made, setMade] = useState<Link>();
  const [ending, setEnding] = useState<Link>();
  return (
    <Dialog title={t('links.title', { name })} size="medium" onClose={onClose}>
      <p className={styles.text}>
        {t(shared.pad === undefined ? 'links.text.folder' : 'links.text.pad')}{' '}
        <HelpLink page="sharing#links" about={t('links.heading')} />
      </p>
      <Loading query={links} failed={t('links.failed')}>
        <SkeletonRows rows={2} />
      </Loading>
      {links.data !== undefined && links.data.length > 0 && (
        <ul className={styles.links} aria-label={t('links.title', { name })}>
          {[...links.data].reverse().map((link) => (
            <OneLink
              key={link._id}
              link={link}
              padName={shared.pad === undefined && link.pad !== null ? pads[link.pad]?.name : undefined}
              isNew={link._id === made?._id}
              onEnd={() => setEnding(link)}
            />
          ))}
        </ul>
      )}
      <NewLink key={made?._id} shared={shared} onMade={setMade} />
      {ending !== undefined && <EndLink link={ending} onClose={() => setEnding(undefined)} />}
    </Dialog>
  );
}

/** What a link is called: what it is for, or what it lets people do. */
export function useLinkName(): (link: Pick<Link, 'label' | 'role'>) => string {
  const { t } = useTranslation();
  return ({ label, role }) => (label === '' ? t(`links.role.${role}`) : label);
}

interface OneLinkProps {
  link: Link;
  /** Of the pad that it opens, in a list of links to a folder. */
  padName: string | undefined;
  isNew: boolean;
  onEnd: () => void;
}

function OneLink({ link, padName, isNew, onEnd }: OneLinkProps) {
  const { t, language } = useTranslation();
  const name = useLinkName()(link);
  const { role, ends, hasPassword, asksName, label, lastUse, secret, uses } = link;
  const isOver = ends !== null && ends <= Date.now();
  const facts = [
    padName !== undefined && t('text.detail', { text: t('pad.title'), detail: padName }),
    label !== '' && t(`links.role.${role}`),
    hasPassword && t('links.hasPassword'),
    asksName && t('links.asksName.fact'),
    isOver && t('links.over'),
    ends !== null &&
      !isOver &&
      t('links.until', { time: dateFormatter(language, { dateStyle: 'medium', timeStyle: 'short' })(ends) }),
    ends === null && t('links.endless'),
    t('links.uses', { count: uses }),
  ].filter((fact) => typeof fact === 'string');
  return (
    <li className={styles.link}>
      <CopyField label={name} value={toUrl(paths.link(secret))} help={facts.join(' · ')} focused={isNew} />
      <p className={styles.more}>
        <span>{lastUse !== null && <TimeText text="links.lastUse" time={lastUse} />}</span>
        <Button
          small
          kind="quiet"
          aria-label={t('text.detail', { text: t('links.end'), detail: name })}
          onClick={onEnd}
        >
          {t('links.end')}
        </Button>
      </p>
    </li>
  );
}

const day = 24 * 60 * 60 * 1000;
/** Milliseconds after which a new link ends. */
const durations = { day, week: 7 * day, month: 30 * day, year: 365 * day, never: null } as const;
type Duration = keyof typeof durations;

/** Those that the server allows. `most`: in days; 0: no limit. */
function allowedDurations(most: number): Duration[] {
  const all = Object.keys(durations) as Duration[];
  const allowed = all.filter((one) => {
    const lasts = durations[one];
    return most === 0 || (lasts !== null && lasts <= most * day);
  });
  return allowed.length === 0 ? ['day'] : allowed;
}

function NewLink({ shared, onMade }: { shared: Shared; onMade: (link: Link) => void }) {
  const { t } = useTranslation();
  const make = useMakeLink(shared);
  const allowed = allowedDurations(useSettings().linksMaxDays);
  const duration = allowed.includes('month') ? 'month' : (allowed.at(-1) ?? 'day');
  const form = useForm({
    initial: { label: '', role: 'reader', duration, password: '', asksName: false },
    check: () => ({}),
    submit: async ({ label, role, duration: chosen, password, asksName }) => {
      const lasts = durations[chosen as Duration];
      const made = await make.mutateAsync({
        label,
        role: role as Link['role'],
        ends: lasts === null ? null : Date.now() + lasts,
        ...(password !== '' && { password }),
        asksName,
      });
      onMade(made);
    },
  });
  return (
    <Form form={form} label={t('links.new')}>
      <h3 className={styles.heading}>{t('links.new')}</h3>
      <Field {...form.field('label')} label={t('links.label')} help={t('links.label.help')} optional>
        <TextInput {...form.text('label')} maxLength={limits.text} autoComplete="off" />
      </Field>
      <div className={styles.choices}>
        <Field {...form.field('role')} label={t('links.role')}>
          <Select
            {...form.text('role')}
            options={grantRoles.map((value) => ({ value, label: t(`links.role.${value}`) }))}
          />
        </Field>
        <Field {...form.field('duration')} label={t('links.ends')}>
          <Select
            {...form.text('duration')}
            options={allowed.map((value) => ({ value, label: t(`links.ends.${value}`) }))}
          />
        </Field>
      </div>
      <Field {...form.field('password')} label={t('links.password')} help={t('links.password.help')} optional>
        <PasswordInput {...form.text('password')} autoComplete="new-password" />
      </Field>
      <Checkbox {...form.check('asksName')} label={t('links.asksName')} help={t('links.asksName.help')} />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" busy={form.busy}>
          {t('links.make')}
        </Button>
      </div>
    </Form>
  );
}

function EndLink({ link, onClose }: { link: Link; onClose: () => void }) {
  const { t } = useTranslation();
  const end = useEndLink();
  const name = useLinkName()(link);
  return (
    <ConfirmDialog
      danger
      title={t('links.end.title', { name })}
      action={t('links.end')}
      onClose={onClose}
      onConfirm={() => end.mutateAsync(link._id)}
      done={t('links.ended', { name })}
    >
      <p>{t('links.end.text')}</p>
    </ConfirmDialog>
  );
}
