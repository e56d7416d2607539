import { useState } from 'react';
import type { TagChange } from '../../../../api/group/schema';
import { limits } from '../../../../model/limits';
import { ChipButton } from '../../components/Chip';
import { ChipInput } from '../../components/ChipInput';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { TagIcon } from '../../components/screenIcons';
import { toasts } from '../../components/Toasts';
import { useForm } from '../../components/useForm';
import { useChangeTags } from '../../data/bulk';
import { ApiError } from '../../data/client';
import { type ListedFolder, tagsOf, useTags } from '../../data/folders';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import styles from './Folders.module.css';

/** Changes tags and shows a message with a button that undoes it. */
function useTagging(): (changes: readonly TagChange[]) => Promise<void> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { mutateAsync } = useChangeTags();
  const change = async (changes: readonly TagChange[], isUndo = false): Promise<void> => {
    const { changed, failed } = await mutateAsync(changes);
    const [first] = failed;
    if (first !== undefined) {
      const why = errorText(new ApiError(first.error));
      toasts.error(`${t('folders.notChanged', { count: failed.length })} ${why}`);
    }
    if (changed.length === 0) return;
    const back = changed.map(({ group, add, remove }) => ({ group, add: remove, remove: add }));
    const undo = {
      label: t('action.undo'),
      run: () => void change(back, true).catch((error: unknown) => toasts.error(errorText(error))),
    };
    toasts.success(t('folders.tagged', { count: changed.length }), isUndo ? {} : { action: undo });
  };
  return (changes) => change(changes);
}

export interface TagFoldersProps {
  groups: readonly ListedFolder[];
  onClose: () => void;
}

/** Adds tags to several folders, and removes tags that some of them have. */
export function TagFolders({ groups: shown, onClose }: TagFoldersProps) {
  const { t, digits, language } = useTranslation();
  const all = useTags();
  const tag = useTagging();
  const [groups] = useState(shown);
  const present = tagsOf(groups, language);
  const form = useForm({
    initial: { add: [] as string[], remove: [] as string[] },
    submit: async ({ add, remove }) => {
      const changes = groups.map(({ _id: group }) => ({ group, add, remove }));
      if (add.length + remove.length > 0) await tag(changes);
      onClose();
    },
  });
  const { add, remove } = form.values;
  const toggle = (one: string): void =>
    form.set('remove', remove.includes(one) ? remove.filter((other) => other !== one) : [...remove, one]);
  return (
    <Dialog title={t('folders.tags.title', { count: groups.length })} onClose={onClose}>
      <Form form={form} label={t('folders.tags.title', { count: groups.length })}>
        <Field
          {...form.field('add')}
          label={t('folders.tags.add')}
          help={t('folderForm.tags.help')}
          optional="unsaid"
        >
          <ChipInput
            value={add}
            onChange={(value) => form.set('add', value)}
            suggestions={all.map(([value]) => ({ value }))}
            split={(typed) => typed.split(/[,;\n]+/)}
            most={limits.tags}
            maxLength={limits.tag}
            isFirst
          />
        </Field>
        {present.length > 0 && (
          <fieldset>
            <legend className={styles.legend}>{t('folders.tags.remove')}</legend>
            <div className="wrapping">
              {present.map(([one, count]) => (
                <ChipButton
                  key={one}
                  icon={<TagIcon />}
                  pressed={remove.includes(one)}
                  onPress={() => toggle(one)}
                >
                  {one}
                  {groups.length > 1 && ` (${digits(count)})`}
                </ChipButton>
              ))}
            </div>
          </fieldset>
        )}
        <FormActions form={form} submit={t('folders.tags.save')} cancel={onClose} />
      </Form>
    </Dialog>
  );
}
