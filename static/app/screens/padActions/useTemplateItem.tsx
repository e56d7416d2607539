import type { Pad } from '../../../../api/answers';
import type { MenuItem } from '../../components/Menu';
import { TemplateIcon } from '../../components/screenIcons';
import { toasts } from '../../components/Toasts';
import { useUpdatePad } from '../../data/padChanges';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';

/** Makes the pad a template, or no longer one. */
export function useTemplateItem({ _id, name, template, abilities }: Pad): MenuItem {
  const { t, list } = useTranslation();
  const errorText = useErrorText();
  const { mutateAsync: update } = useUpdatePad(_id);
  const placeholders = list(['{{date}}', '{{title}}', '{{name}}']);
  const is = template === true;
  const set = (wanted: boolean): void =>
    void update({ template: wanted }).then(
      () =>
        toasts.success(t(wanted ? 'template.made' : 'template.ended', { name, placeholders }), {
          action: { label: t('action.undo'), run: () => set(!wanted) },
        }),
      (error: unknown) => toasts.error(errorText(error)),
    );
  return (
    abilities.edit && {
      label: t(is ? 'template.end' : 'template.make'),
      icon: <TemplateIcon />,
      onSelect: () => set(!is),
    }
  );
}
