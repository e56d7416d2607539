import { useState } from 'react';
import type { Group, Pad } from '../../../../api/answers';
import type { PadCreation } from '../../../../api/pad/schema';
import { limits } from '../../../../model/limits';
import { type Visibility, visibilities } from '../../../../model/store/entities';
import { LinkButton } from '../../components/Button';
import { Checkbox, Switch } from '../../components/Checkbox';
import { visibilityIcons } from '../../components/Chip';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { NothingFoundIcon } from '../../components/icons';
import { PasswordInput } from '../../components/PasswordInput';
import { type RadioCard, RadioCards } from '../../components/RadioCards';
import { EmptyState, SkeletonRows } from '../../components/States';
import { FolderIcon } from '../../components/screenIcons';
import { TextInput } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { useForm } from '../../components/useForm';
import { useSettings } from '../../data/configuration';
import { useCreatePad, useUpdatePad } from '../../data/padChanges';
import { usePad } from '../../data/pads';
import { changedSettings } from '../../forms/changedSettings';
import { fillIn, unsavedHere } from '../../forms/drafts';
import { lacksPassword } from '../../forms/lacksPassword';
import { useQueryParams, withParameters } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useNavigate } from '../../navigation/useNavigate';
import { useTranslation } from '../../texts/i18n';
import { FolderScreen } from '../folders/FolderScreen';
import { HelpLink } from '../guide/HelpLink';
import { Redirect } from '../home/Home';

/** `folder`: the visibility is that of the folder. */
type Choice = Visibility | 'folder';

interface Values {
  name: string;
  inherit: boolean;
  visibility: Choice;
  password: string;
  readonly: boolean;
}

/** Form that creates a pad and opens it. */
export function AddPad({ group: id }: { group: string }) {
  const { t } = useTranslation();
  const create = useCreatePad();
  const navigate = useNavigate();
  const [parameters] = useQueryParams();
  const template = parameters.get('template') ?? undefined;
  return (
    <FolderScreen
      id={id}
      title={t(template === undefined ? 'newPad.title' : 'newPad.fromTemplate')}
      needs={(group) => group.abilities.createPad}
      refusal={t('access.create.denied')}
      startsInField
    >
      {({ group }) => (
        <PadFields
          group={group}
          submit={async (input) => {
            const pad = await create.mutateAsync({ ...input, group: id, template });
            navigate(paths.pad(id, pad._id), { replace: true });
          }}
          cancel={paths.folder(id)}
        />
      )}
    </FolderScreen>
  );
}

/** Form that changes the name and settings of a pad. With `from=pad` in its address it leads back to the pad. */
export function EditPad({ group: id, pad: padId }: { group: string; pad: string }) {
  const { t } = useTranslation();
  const update = useUpdatePad(padId);
  const navigate = useNavigate();
  const [parameters] = useQueryParams();
  const next = parameters.get('from') === 'pad' ? paths.pad(id, padId) : paths.folder(id);
  return (
    <FolderScreen id={id} title={t('padView.settings')} needs={(group) => group.abilities.edit}>
      {({ group, pads }) => {
        const pad = pads[padId];
        if (pad === undefined) return <PadElsewhere group={id} pad={padId} />;
        return (
          <PadFields
            group={group}
            pad={pad}
            submit={async (input, before) => {
              const saved = await update.mutateAsync(changedSettings(before, input));
              navigate(next, { replace: true });
              toasts.success(t('padForm.saved', { name: saved.name }));
            }}
            cancel={next}
          />
        );
      }}
    </FolderScreen>
  );
}

/** The pad is not in this folder: leads to its settings, with what was typed, in the folder that it was moved to. */
function PadElsewhere({ group, pad }: { group: string; pad: string }) {
  const { t } = useTranslation();
  const { data, error } = usePad(pad);
  const [parameters] = useQueryParams();
  const [typed] = useState(unsavedHere);
  if (data === undefined && error === null) return <SkeletonRows />;
  if (data?.group && data.group !== group) {
    const path = paths.editPad(data.group, pad);
    for (const values of typed) fillIn(path, values);
    return <Redirect to={withParameters(path, { from: parameters.get('from') })} />;
  }
  return (
    <EmptyState
      icon={<NothingFoundIcon />}
      title={t('access.pad.missing.title')}
      action={<LinkButton href={paths.folder(group)}>{t('access.toFolder')}</LinkButton>}
    >
      {t('access.pad.missing.text')}
    </EmptyState>
  );
}

function valuesOf(group: Group, pad: Pad | undefined): Values {
  return {
    name: pad?.name ?? '',
    inherit: pad === undefined || (pad.visibility === null && pad.readonly === null),
    visibility: pad === undefined ? group.visibility : (pad.visibility ?? 'folder'),
    password: '',
    readonly: pad?.readonly ?? group.readonly,
  };
}

/** The fields of a new pad, without its folder. */
type PadInput = Omit<PadCreation, 'group' | 'template'>;

interface PadFieldsProps {
  group: Group;
  /** The pad to change; missing for a new one. */
  pad?: Pad;
  /** `before`: what the form would have sent without a change. */
  submit: (input: PadInput, before: PadInput) => Promise<void>;
  cancel: string;
}

function PadFields({ group, pad, submit, cancel }: PadFieldsProps) {
  const { t } = useTranslation();
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  const keepsPassword = pad?.hasPassword ?? false;
  const toSend = (values: Values): PadInput =>
    signedInOnly ? { name: values.name.trim() } : inputOf(values, group, pad);
  const form = useForm<Values>({
    initial: valuesOf(group, pad),
    check: (values) => ({
      name: values.name.trim() === '' ? t('padForm.name.required') : undefined,
      password:
        !signedInOnly && !values.inherit && lacksPassword(values, keepsPassword)
          ? t('padForm.password.required')
          : undefined,
    }),
    submit: (values, before) => submit(toSend(values), toSend(before)),
  });
  const { inherit, visibility } = form.values;
  return (
    <Form form={form}>
      <Field
        {...form.field('name')}
        label={t('folderForm.name')}
        help={t('folderForm.name.help', { most: limits.name })}
      >
        <TextInput
          {...form.text('name')}
          maxLength={limits.name}
          autoFocus={pad === undefined}
          autoComplete="off"
        />
      </Field>
      {!signedInOnly && (
        <Switch
          {...form.check('inherit')}
          label={t('padForm.inherit')}
          help={<FolderSettings group={group} />}
        />
      )}
      {!signedInOnly && !inherit && (
        <>
          <VisibilityCards
            group={group}
            withFolder={pad !== undefined && pad.visibility === null && pad.readonly !== null}
            value={visibility}
            onChange={(value) => form.set('visibility', value)}
          />
          {visibility === 'private' && (
            <Field
              {...form.field('password')}
              label={t('padForm.password')}
              optional={keepsPassword}
              help={keepsPassword ? t('form.password.keep') : t('padForm.password.help')}
            >
              <PasswordInput
                {...form.text('password')}
                autoComplete="new-password"
                maxLength={limits.password}
              />
            </Field>
          )}
          <Checkbox
            {...form.check('readonly')}
            label={t('padView.readonly')}
            help={t('padForm.readonly.help')}
          />
        </>
      )}
      <FormActions
        form={form}
        submit={pad === undefined ? t('padForm.create') : t('action.save')}
        cancel={cancel}
      />
    </Form>
  );
}

function FolderSettings({ group }: { group: Group }) {
  const { t } = useTranslation();
  return (
    <>
      {t(`padForm.inherit.${group.visibility}`)} {group.readonly && t('padForm.inherit.readonly')}
    </>
  );
}

interface VisibilityCardsProps {
  group: Group;
  /** Whether `folder` is a choice although read-only is the pad's own. Pads of ep_mypads 1.x can be like this. */
  withFolder: boolean;
  value: Choice;
  onChange: (value: Choice) => void;
}

function VisibilityCards({ group, withFolder, value, onChange }: VisibilityCardsProps) {
  const { t } = useTranslation();
  const cards = visibilities.map((visibility): RadioCard<Choice> => {
    const Icon = visibilityIcons[visibility];
    const label = t(`visibility.${visibility}`);
    return { value: visibility, label, help: t(`padForm.${visibility}`), icon: <Icon /> };
  });
  const folder: RadioCard<Choice> = {
    value: 'folder',
    label: t('padForm.asFolder'),
    help: t('padForm.asFolder.help', { visibility: t(`visibility.${group.visibility}`) }),
    icon: <FolderIcon />,
  };
  return (
    <RadioCards
      label={t('padForm.visibility')}
      cards={withFolder ? [folder, ...cards] : cards}
      value={value}
      onChange={onChange}
    >
      <p>
        <HelpLink page="access#pad" about={t('padForm.visibility')} />
      </p>
    </RadioCards>
  );
}

function inputOf(
  { name, inherit, visibility, password, readonly }: Values,
  group: Group,
  pad?: Pad,
): PadInput {
  if (inherit) return { name: name.trim(), visibility: null, readonly: null, password: null };
  const before = pad?.readonly ?? null;
  return {
    name: name.trim(),
    visibility: visibility === 'folder' ? null : visibility,
    readonly: readonly === (before ?? group.readonly) ? before : readonly,
    ...(visibility === 'private' && password !== '' && { password }),
  };
}
