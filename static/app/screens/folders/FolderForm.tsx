import type { Group } from '../../../../api/answers';
import type { GroupCreation } from '../../../../api/group/schema';
import { limits } from '../../../../model/limits';
import { type Visibility, visibilities } from '../../../../model/store/entities';
import { Checkbox } from '../../components/Checkbox';
import { visibilityIcons } from '../../components/Chip';
import { ChipInput } from '../../components/ChipInput';
import { Field } from '../../components/Field';
import { Form, FormActions, FormSection } from '../../components/Form';
import { Page } from '../../components/Page';
import { PasswordInput } from '../../components/PasswordInput';
import { RadioCards } from '../../components/RadioCards';
import { TextArea, TextInput } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { type FormState, useForm } from '../../components/useForm';
import { useSettings } from '../../data/configuration';
import { useCreateGroup, useUpdateGroup } from '../../data/folderChanges';
import { useTags } from '../../data/folders';
import { changedSettings } from '../../forms/changedSettings';
import { lacksPassword } from '../../forms/lacksPassword';
import { paths } from '../../navigation/paths';
import { useNavigate } from '../../navigation/useNavigate';
import { useTranslation } from '../../texts/i18n';
import { HelpLink } from '../guide/HelpLink';
import { FolderScreen } from './FolderScreen';

function valuesOf(group: Group) {
  const { name, description, visibility, tags, readonly, archived, allowUsersToCreatePads } = group;
  return { name, description, visibility, password: '', tags, readonly, archived, allowUsersToCreatePads };
}

type Values = ReturnType<typeof valuesOf>;

const empty: Values = {
  name: '',
  description: '',
  visibility: 'restricted',
  password: '',
  tags: [],
  readonly: false,
  archived: false,
  allowUsersToCreatePads: false,
};

/** Form that creates a folder. */
export function AddFolder() {
  const { t } = useTranslation();
  const create = useCreateGroup();
  const navigate = useNavigate();
  return (
    <Page
      title={t('nav.newFolder')}
      breadcrumb={[{ label: t('folders.title'), href: paths.folders }]}
      width="form"
    >
      <FolderFields
        initial={empty}
        hasPassword={false}
        submit={async (input) => {
          const group = await create.mutateAsync(input);
          navigate(paths.folder(group._id), { replace: true });
        }}
        cancel={paths.folders}
      />
    </Page>
  );
}

/** Form that changes the settings of a folder. */
export function EditFolder({ group: id }: { group: string }) {
  const { t } = useTranslation();
  const update = useUpdateGroup();
  const navigate = useNavigate();
  return (
    <FolderScreen id={id} title={t('folderView.edit')} needs={(group) => group.abilities.edit}>
      {({ group }) => (
        <FolderFields
          existing
          initial={valuesOf(group)}
          hasPassword={group.hasPassword}
          submit={async (input, before) => {
            const saved = await update.mutateAsync({ id, ...changedSettings(before, input) });
            navigate(paths.folder(id), { replace: true });
            toasts.success(t('folderForm.saved', { name: saved.name }));
          }}
          cancel={paths.folder(id)}
        />
      )}
    </FolderScreen>
  );
}

interface VisibilityCardsProps {
  value: Visibility;
  onChange: (value: Visibility) => void;
}

function VisibilityCards({ value, onChange }: VisibilityCardsProps) {
  const { t } = useTranslation();
  return (
    <RadioCards
      label={t('folderForm.visibility')}
      value={value}
      onChange={onChange}
      cards={visibilities.map((visibility) => {
        const Icon = visibilityIcons[visibility];
        const label = t(`visibility.${visibility}`);
        return { value: visibility, label, help: t(`folderForm.${visibility}`), icon: <Icon /> };
      })}
    >
      <p>
        <HelpLink page="access" about={t('folderForm.visibility')} />
      </p>
    </RadioCards>
  );
}

interface PartProps {
  form: FormState<Values>;
}

function Tags({ form }: PartProps) {
  const { t } = useTranslation();
  const tags = useTags();
  return (
    <Field {...form.field('tags')} label={t('folders.tags')} help={t('folderForm.tags.help')} optional>
      <ChipInput
        value={form.values.tags}
        onChange={(value) => form.set('tags', value)}
        suggestions={tags.map(([value]) => ({ value }))}
        split={(text) => text.split(/[,;\n]+/)}
        most={limits.tags}
        maxLength={limits.tag}
      />
    </Field>
  );
}

/** Settings of a folder that exists. */
function Options({ form }: PartProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t('folderForm.options')}>
      <Checkbox
        {...form.check('readonly')}
        label={t('folders.readonly')}
        help={t('folderForm.readonly.help')}
      />
      <Checkbox
        {...form.check('archived')}
        label={t('folderView.archived')}
        help={t('folderForm.archived.help')}
      />
      <Checkbox
        {...form.check('allowUsersToCreatePads')}
        label={t('folderForm.allow')}
        help={t('folderForm.allow.help')}
      />
    </FormSection>
  );
}

interface FolderFieldsProps {
  initial: Values;
  /** Whether the folder exists already. The form then has more settings. */
  existing?: boolean;
  /** Whether the folder has a password, which stays if none is typed. */
  hasPassword: boolean;
  /** `before`: what the form would have sent without a change. */
  submit: (input: GroupCreation, before: GroupCreation) => Promise<void>;
  cancel: string;
}

function FolderFields({ initial, existing = false, hasPassword, submit, cancel }: FolderFieldsProps) {
  const { t } = useTranslation();
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  const form = useForm<Values>({
    initial,
    check: (values) => ({
      name: values.name.trim() === '' ? t('folderForm.name.required') : undefined,
      password:
        !signedInOnly && lacksPassword(values, hasPassword) ? t('folderForm.password.required') : undefined,
    }),
    submit: (values, before) =>
      submit(inputOf(values, existing, signedInOnly), inputOf(before, existing, signedInOnly)),
  });

  const { visibility } = form.values;
  return (
    <Form form={form}>
      <Field
        {...form.field('name')}
        label={t('folderForm.name')}
        help={t('folderForm.name.help', { most: limits.name })}
      >
        <TextInput {...form.text('name')} maxLength={limits.name} autoFocus={!existing} autoComplete="off" />
      </Field>
      <Field
        {...form.field('description')}
        label={t('folderForm.description')}
        help={t('folderForm.description.help')}
        optional
      >
        <TextArea {...form.text('description')} rows={3} maxLength={limits.description} />
      </Field>
      {!signedInOnly && (
        <VisibilityCards value={visibility} onChange={(value) => form.set('visibility', value)} />
      )}
      {!signedInOnly && visibility === 'private' && (
        <Field
          {...form.field('password')}
          label={t('folderForm.password')}
          optional={hasPassword}
          help={hasPassword ? t('form.password.keep') : t('folderForm.password.help')}
        >
          <PasswordInput {...form.text('password')} autoComplete="new-password" maxLength={limits.password} />
        </Field>
      )}
      <Tags form={form} />
      {existing && !signedInOnly && <Options form={form} />}
      <FormActions
        form={form}
        submit={existing ? t('action.save') : t('folderForm.create')}
        cancel={cancel}
      />
    </Form>
  );
}

/** The fields to send: only those that the form shows, and a password only if one was typed. */
function inputOf(values: Values, existing: boolean, signedInOnly: boolean): GroupCreation {
  const { description, visibility, password, tags, readonly, archived, allowUsersToCreatePads } = values;
  return {
    name: values.name.trim(),
    description,
    tags,
    ...(!signedInOnly && { visibility }),
    ...(!signedInOnly && visibility === 'private' && password !== '' && { password }),
    ...(!signedInOnly && existing && { readonly, archived, allowUsersToCreatePads }),
  };
}
