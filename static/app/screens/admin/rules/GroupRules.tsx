import { useState } from 'react';
import type { GroupRulesAnswer, SentGroupRule } from '../../../../../api/rules/schema';
import { limits } from '../../../../../model/limits';
import { listOfRole } from '../../../../../model/store/entities';
import { Button } from '../../../components/Button';
import { Page } from '../../../components/Page';
import { Rows } from '../../../components/Rows';
import { EmptyState, Loading, SkeletonRows } from '../../../components/States';
import { AddIcon, RulesIcon } from '../../../components/screenIcons';
import { useErrorToast } from '../../../components/Toasts';
import { useGroupRules, usePreviewRules } from '../../../data/administration';
import { Link } from '../../../navigation/location';
import { paths } from '../../../navigation/paths';
import { useTranslation } from '../../../texts/i18n';
import styles from '../../tokens/Tokens.module.css';
import { DocsIntro } from '../DocsLink';
import { DirectorySync } from './DirectorySync';
import { RuleForm, type RuleFormProps } from './RuleForm';
import { SaveRules, type SaveRulesProps } from './SaveRules';
import { serviceOf, useServices } from './services';

/** The rules as an administrator saw them. Saving them is refused when others have changed them since. */
type Seen = Pick<GroupRulesAnswer, 'rules' | 'version'>;

interface OpenForm extends Pick<RuleFormProps, 'place' | 'rule'> {
  /** When it was opened. `place` is a place in this list. */
  seen: Seen;
}

/** The question before rules are saved. The form stays below it, so that nothing has to be typed again. */
type Question = Pick<SaveRulesProps, 'rules' | 'version' | 'preview'>;

/** The rules that make groups of a directory members of folders. */
export function GroupRules() {
  const { t } = useTranslation();
  const query = useGroupRules();
  const preview = usePreviewRules();
  const showError = useErrorToast();
  const [form, setForm] = useState<OpenForm | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const seen: Seen = query.data ?? { rules: [], version: 0 };
  const { rules } = seen;
  /** The question that follows would cover a form, and close it with itself. */
  const busy = preview.isPending;

  /** Asks before the rules are saved. */
  const ask = async (next: readonly SentGroupRule[], { version }: Seen): Promise<void> => {
    const found = await preview.mutateAsync(next);
    setQuestion({ rules: next, version, preview: found });
  };
  const askAbout = (rule: SentGroupRule, { place, seen: from }: OpenForm): Promise<void> => {
    const next = from.rules.map((one, index) => (index === place ? rule : one));
    return ask(place === 'new' ? [...from.rules, rule] : next, from);
  };
  const saved = (): void => {
    setForm(null);
    setQuestion(null);
  };
  const add = (
    <Button kind="primary" icon={<AddIcon />} busy={busy} onClick={() => setForm({ place: 'new', seen })}>
      {t('admin.rules.add')}
    </Button>
  );
  const remove = (place: number): void =>
    void ask(
      rules.filter((_, index) => index !== place),
      seen,
    ).catch(showError);
  return (
    <Page
      title={t('admin.rules.title')}
      intro={<DocsIntro text={t('admin.rules.intro')} page="groups" about={t('admin.rules.title')} />}
      action={rules.length > 0 && rules.length < limits.groupRules && add}
    >
      <Loading query={query} failed={t('admin.rules.failed')}>
        <SkeletonRows height={52} rows={4} oneLine />
      </Loading>
      {query.data && rules.length === 0 && (
        <EmptyState icon={<RulesIcon />} title={t('admin.rules.empty')} action={add} />
      )}
      {query.data && rules.length > 0 && (
        <Rows label={t('admin.rules.title')}>
          {rules.map((rule, place) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              answer={query.data}
              busy={busy}
              onEdit={() => setForm({ place, rule, seen })}
              onRemove={() => remove(place)}
            />
          ))}
        </Rows>
      )}
      <DirectorySync />
      {form && (
        <RuleForm
          place={form.place}
          rule={form.rule}
          onSend={(rule) => askAbout(rule, form)}
          onClose={() => setForm(null)}
        />
      )}
      {question && <SaveRules {...question} onSaved={saved} onClose={() => setQuestion(null)} />}
    </Page>
  );
}

interface RuleRowProps {
  rule: GroupRulesAnswer['rules'][number];
  answer: GroupRulesAnswer;
  busy: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

/** A rule: whom it is about, what it gives them, and how many have it. */
function RuleRow({ rule, answer: { folders, people }, busy, onEdit, onRemove }: RuleRowProps) {
  const { t } = useTranslation();
  const services = useServices(rule);
  const { id = '', attribute, value, role, folder } = rule;
  const found = folders[folder ?? ''];
  const service = services.find((one) => one.value === serviceOf(rule));
  const facts = [
    service?.label,
    t(`share.role.${listOfRole[role]}`),
    t('people.count', { count: people[id] ?? 0 }),
  ];
  const named = (text: string): string => t('text.detail', { text, detail: value });
  return (
    <li className={styles.token}>
      <div className={styles.text}>
        <p className={styles.name}>
          <code dir="ltr">
            {attribute} = {value}
          </code>
        </p>
        <p className={styles.owner}>
          {found && <Link href={paths.folder(found._id)}>{found.name}</Link>}
          {!found && t(folder === undefined ? 'admin.rules.new' : 'admin.rules.gone')}
        </p>
        <p className="muted">{facts.join(' · ')}</p>
      </div>
      <div className={styles.ends}>
        <Button small busy={busy} aria-label={named(t('admin.rules.edit'))} onClick={onEdit}>
          {t('admin.rules.edit')}
        </Button>
        <Button small busy={busy} aria-label={named(t('admin.rules.delete'))} onClick={onRemove}>
          {t('admin.rules.delete')}
        </Button>
      </div>
    </li>
  );
}
