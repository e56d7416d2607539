import type { Group, Pad } from '../../../../api/answers';
import { limits } from '../../../../model/limits';
import { visibilities } from '../../../../model/store/entities';
import { visibilityIcons } from '../../components/Chip';
import { Field } from '../../components/Field';
import { PasswordInput } from '../../components/PasswordInput';
import { type RadioCard, RadioCards } from '../../components/RadioCards';
import { FolderIcon } from '../../components/screenIcons';
import type { FormState } from '../../components/useForm';
import { useTranslation } from '../../texts/i18n';
import { type Choice, choiceOf, type ShareValues } from './values';

export interface AccessFieldsProps {
  group: Group;
  pad: Pad | undefined;
  form: FormState<ShareValues>;
}

/** Who can open a folder or pad, and the password of a private one. The sentence below the link explains the choice. */
export function AccessFields({ group, pad, form }: AccessFieldsProps) {
  const { t } = useTranslation();
  const now = choiceOf(group, pad);
  const chosen = form.values.visibility ?? now;
  const cards = visibilities.map((value): RadioCard<Choice> => {
    const Icon = visibilityIcons[value];
    const label = t(`visibility.${value}`);
    return { value, label, help: t(`visibility.${value}.help`), icon: <Icon /> };
  });
  const folder: RadioCard<Choice> = {
    value: 'folder',
    label: t('padForm.asFolder'),
    help: t(`visibility.${group.visibility}.help`),
    icon: <FolderIcon />,
  };
  const keeps = (pad ?? group).hasPassword;
  return (
    <>
      <RadioCards
        layout="compact"
        label={t('folderForm.visibility')}
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
          label={pad === undefined ? t('folderForm.password') : t('padForm.password')}
          optional={keeps}
          help={
            keeps
              ? t('form.password.keep')
              : pad === undefined
                ? t('folderForm.password.help')
                : t('padForm.password.help')
          }
        >
          <PasswordInput {...form.text('password')} autoComplete="new-password" maxLength={limits.password} />
        </Field>
      )}
    </>
  );
}
