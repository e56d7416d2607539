import type { Group, Pad } from '../../../../api/answers';
import { limits } from '../../../../model/limits';
import { Field } from '../../components/Field';
import { FolderIcon, PrivateIcon, PublicIcon, RestrictedIcon } from '../../components/icons';
import { PasswordInput } from '../../components/PasswordInput';
import { type RadioCard, RadioCards } from '../../components/RadioCards';
import type { FormState } from '../../components/useForm';
import { useTranslation } from '../../i18n';
import { type Choice, choiceOf, type ShareValues } from './values';

export interface AccessFieldsProps {
  group: Group;
  pad: Pad | undefined;
  form: FormState<ShareValues>;
}

/** Who can open a folder or pad, and the password of a private one. */
export function AccessFields({ group, pad, form }: AccessFieldsProps) {
  const { t } = useTranslation();
  const now = choiceOf(group, pad);
  const chosen = form.values.visibility ?? now;
  const kind = pad === undefined ? 'folderForm' : 'padForm';
  const cards: RadioCard<Choice>[] = [
    {
      value: 'restricted',
      label: t('visibility.restricted'),
      help: t(`${kind}.restricted`),
      icon: <RestrictedIcon />,
    },
    { value: 'private', label: t('visibility.private'), help: t(`${kind}.private`), icon: <PrivateIcon /> },
    { value: 'public', label: t('visibility.public'), help: t(`${kind}.public`), icon: <PublicIcon /> },
  ];
  const folder: RadioCard<Choice> = {
    value: 'folder',
    label: t('padForm.asFolder'),
    help: t('padForm.asFolder.help', { visibility: t(`visibility.${group.visibility}`) }),
    icon: <FolderIcon />,
  };
  const keeps = (pad ?? group).hasPassword;
  return (
    <>
      <RadioCards
        stacked
        label={t(`${kind}.visibility`)}
        cards={pad === undefined ? cards : [folder, ...cards]}
        value={chosen}
        onChange={(value) => {
          form.set('visibility', value === now ? null : value);
          if (value !== 'private') form.set('password', '');
        }}
      />
      {chosen === 'private' && (
        <Field
          {...form.field('password')}
          label={t(`${kind}.password`)}
          optional={keeps}
          help={keeps ? t(`${kind}.password.keep`) : t(`${kind}.password.help`)}
        >
          <PasswordInput {...form.text('password')} autoComplete="new-password" maxLength={limits.password} />
        </Field>
      )}
    </>
  );
}
