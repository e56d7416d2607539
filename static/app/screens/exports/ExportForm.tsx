import { useState } from 'react';
import type { Named, Pad } from '../../../../api/answers';
import type { ExportAnswer } from '../../../../api/export/schema';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { Form, FormActions, FormSection } from '../../components/Form';
import { ErrorState, Loading, SkeletonRows } from '../../components/States';
import { toasts } from '../../components/Toasts';
import { useForm } from '../../components/useForm';
import { isMissing } from '../../data/client';
import {
  asPerson,
  type ExportCaller,
  type ExportInput,
  useExport,
  useStartExport,
  watchExport,
} from '../../data/exports';
import { navigate } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { translate, useTranslation } from '../../texts/i18n';
import { ExportButtons, ExportState, nameOfExport } from './ExportState';
import styles from './Exports.module.css';

const formats = [
  ['text', 'padActions.export.txt'],
  ['html', 'padActions.export.html'],
  ['etherpad', 'padActions.export.etherpad'],
] as const;

/** What is exported. Of pads, those that the person may open. `person`: as a path and as people see them. */
type Exported =
  | { group: Named }
  | { pads: readonly Pad[] }
  | { me: true }
  | { person: { login: string; name: string } };

export interface ExportFormProps {
  of: Exported;
  caller?: ExportCaller;
  onClose: () => void;
}

/** What is sent, and the same in words. */
function useExported(of: Exported): { about: Partial<ExportInput>; intro: string } {
  const { t } = useTranslation();
  if ('group' in of)
    return { about: { group: of.group._id }, intro: t('exports.about.group', { name: of.group.name }) };
  if ('me' in of) return { about: { me: true }, intro: t('exports.about.me') };
  if ('person' in of)
    return { about: { user: of.person.login }, intro: t('exports.about.person', { name: of.person.name }) };
  const open = of.pads.filter(({ abilities: { enter } }) => enter === 'read' || enter === 'write');
  return {
    about: { pads: open.map(({ _id }) => _id) },
    intro: t('folderView.selected', { count: open.length }),
  };
}

/** Says that an export has ended to a person who has gone on with something else. */
function tellWhenEnded(caller: ExportCaller, id: string): void {
  void watchExport(caller, id, (value) => {
    const name = nameOfExport(value, translate);
    if (value.state === 'failed') toasts.error(translate('exports.toast.failed', { name }));
    else if (caller.kind === 'administrator') toasts.success(translate('exports.toast.ready', { name }));
    else
      toasts.success(translate('exports.toast.ready', { name }), {
        action: { label: translate('action.open'), run: () => navigate(paths.exports) },
      });
  });
}

/** Asks in which formats, begins the export, and shows how far it is. */
export function ExportForm({ of, caller = asPerson, onClose }: ExportFormProps) {
  const { t } = useTranslation();
  const { about, intro } = useExported(of);
  const start = useStartExport(caller);
  const [begun, setBegun] = useState<ExportAnswer | null>(null);
  const form = useForm({
    initial: { text: true, html: true, etherpad: true, chat: false },
    check: ({ text, html, etherpad }) => ({
      text: text || html || etherpad ? undefined : t('exports.formats.required'),
    }),
    mayBeLost: true,
    submit: async ({ chat, ...chosen }) => {
      const wanted = formats.map(([format]) => format).filter((format) => chosen[format]);
      const value = await start.mutateAsync({ ...about, formats: wanted, chat });
      setBegun(value);
      tellWhenEnded(caller, value._id);
    },
  });
  if (begun !== null) return <Begun begun={begun} caller={caller} onClose={onClose} />;
  return (
    <Form form={form}>
      <p>{intro}</p>
      <FormSection title={t('exports.formats')}>
        <div id={form.field('text').id} tabIndex={-1} className={styles.formats}>
          {formats.map(([format, label]) => (
            <Checkbox key={format} {...form.check(format)} label={t(label)} />
          ))}
        </div>
      </FormSection>
      <Checkbox {...form.check('chat')} label={t('exports.chat')} help={t('exports.chat.help')} />
      <FormActions form={form} submit={t('exports.start')} cancel={onClose} />
    </Form>
  );
}

interface BegunProps {
  begun: ExportAnswer;
  caller: ExportCaller;
  onClose: () => void;
}

function Begun({ begun, caller, onClose }: BegunProps) {
  const { t } = useTranslation();
  const query = useExport(caller, begun._id);
  const value = query.data ?? begun;
  // It was cancelled elsewhere.
  if (isMissing(query.error)) return <ErrorState title={nameOfExport(value, t)} error={query.error} />;
  return (
    <div className={styles.begun}>
      <p className={styles.name}>
        <bdi>{nameOfExport(value, t)}</bdi>
      </p>
      <Loading query={query} failed={t('exports.loadFailed')}>
        <SkeletonRows rows={1} />
      </Loading>
      <ExportState value={value} />
      {value.state === 'working' && caller.kind === 'person' && <p>{t('exports.leave')}</p>}
      <div className={styles.ends}>
        <ExportButtons value={value} caller={caller} onGone={onClose} />
        <Button small onClick={onClose}>
          {t('action.close')}
        </Button>
      </div>
    </div>
  );
}

/** The same in a dialog. */
export function ExportDialog(props: ExportFormProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('exports.action')} onClose={props.onClose}>
      <ExportForm {...props} />
    </Dialog>
  );
}
