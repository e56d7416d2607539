import type { OwnUser } from '../../../../api/answers';
import { fullName } from '../../../../model/fullName';
import { languageCodes, languages, matchLanguage } from '../../../../model/languages';
import { limits } from '../../../../model/limits';
import { Checkbox } from '../../components/Checkbox';
import { ColorInput } from '../../components/ColorInput';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { NameFields } from '../../components/NameFields';
import { Select } from '../../components/Select';
import { TextInput } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { type FormState, useForm } from '../../components/useForm';
import { useSettings } from '../../data/configuration';
import { changedFields } from '../../forms/changedFields';
import { languageOptions } from '../../shell/preferenceItems';
import { chooseLanguage, firstLanguage, translate, useTranslation } from '../../texts/i18n';
import styles from './Account.module.css';
import { useChangeAccount } from './accountCalls';
import { Fact } from './Section';

function valuesOf(user: OwnUser, language: string) {
  const { firstname, lastname, organization, padNickname, color } = user;
  const { useLoginAndColorInPads, hideHelp, singleKeys, mailWhenAdded } = user;
  const names = { firstname, lastname, organization, padNickname, color };
  const lang: string = matchLanguage([user.lang], languageCodes) ?? language;
  return { ...names, lang, useLoginAndColorInPads, hideHelp, singleKeys, mailWhenAdded };
}

type Values = ReturnType<typeof valuesOf>;

/** What was changed here. All else may have been changed elsewhere since: in the menu, or in another tab. */
function changesOf(before: Values, now: Values): Partial<Values> {
  const changed = Object.entries(changedFields(before, now));
  return Object.fromEntries(
    changed.map(([field, value]) => [field, typeof value === 'string' ? value.trim() : value]),
  );
}

/** Names, language, and how the person appears in pads. */
export function ProfileForm({ user }: { user: OwnUser }) {
  const { t, language } = useTranslation();
  const change = useChangeAccount(user.login);
  const ownNames = user.passwordAt === 'here';
  const form = useForm<Values>({
    initial: valuesOf(user, language),
    submit: async (values, before) => {
      const changed = changesOf(before, values);
      await change.mutateAsync(changed);
      // The message below is in the new language. The shell says it if its texts cannot be loaded.
      if (changed.lang) await chooseLanguage(firstLanguage([changed.lang])).catch(() => undefined);
      toasts.success(translate('account.saved'));
    },
  });
  return (
    <Form form={form} label={t('account.profile')}>
      <dl className={styles.facts}>
        <Fact name={t('account.login')}>{user.login}</Fact>
        {user.passwordAt !== 'here' && (
          <Fact name={t('account.name')}>
            {fullName(user) || '–'}
            <p className="muted">{t(`account.owned.${user.passwordAt}`)}</p>
          </Fact>
        )}
      </dl>
      {ownNames && (
        <div className={styles.pair}>
          <NameFields form={form} />
        </div>
      )}
      <Field {...form.field('organization')} label={t('account.organization')} optional>
        <TextInput {...form.text('organization')} maxLength={limits.text} autoComplete="organization" />
      </Field>
      <Language form={form} />
      <InPads form={form} />
      <Checkbox
        {...form.check('mailWhenAdded')}
        label={t('account.mailWhenAdded')}
        help={t('account.mailWhenAdded.help')}
      />
      <FormActions form={form} submit={t('action.save')} />
    </Form>
  );
}

interface PartProps {
  form: FormState<Values>;
}

function Language({ form }: PartProps) {
  const { t } = useTranslation();
  const chosen = matchLanguage([form.values.lang], languageCodes);
  const waits = chosen !== undefined && !languages[chosen].reviewed;
  const help = [t('account.language.help'), ...(waits ? [t('language.unreviewed.one')] : [])].join(' ');
  return (
    <Field {...form.field('lang')} label={t('language.label')} help={help}>
      <Select {...form.text('lang')} options={languageOptions} />
    </Field>
  );
}

function InPads({ form }: PartProps) {
  const { t } = useTranslation();
  const { useFirstLastNameInPads, hideHelpBlocks } = useSettings();
  return (
    <>
      <Field {...form.field('color')} label={t('account.color')} help={t('account.color.help')} optional>
        <ColorInput value={form.values.color} onChange={(color) => form.set('color', color)} />
      </Field>
      {!useFirstLastNameInPads && (
        <Field
          {...form.field('padNickname')}
          label={t('account.padNickname')}
          help={t('account.padNickname.help')}
          optional
        >
          <TextInput {...form.text('padNickname')} maxLength={limits.text} autoComplete="nickname" />
        </Field>
      )}
      <Checkbox
        {...form.check('useLoginAndColorInPads')}
        label={useFirstLastNameInPads ? t('account.inPads.color') : t('account.inPads.name')}
        help={useFirstLastNameInPads ? t('account.inPads.color.help') : t('account.inPads.name.help')}
      />
      {!hideHelpBlocks && (
        <Checkbox
          {...form.check('hideHelp')}
          label={t('account.hideHelp')}
          help={t('account.hideHelp.help')}
        />
      )}
      <Checkbox
        {...form.check('singleKeys')}
        label={t('shortcuts.singleKeys')}
        help={t('shortcuts.singleKeys.help')}
      />
    </>
  );
}
