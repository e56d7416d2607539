import type { Pad } from '../../../../api/answers';
import type { MenuItem } from '../../components/Menu';
import { TemplateIcon } from '../../components/screenIcons';
import { toasts, useErrorToast } from '../../components/Toasts';
import { useUpdatePad } from '../../data/padChanges';
import { useTranslation } from '../../texts/i18n';

/** What a text of a template may contain. New pads have something else in its place. */
const placeholders = { date: '{{date}}', title: '{{title}}', person: '{{name}}' };

/** Makes the pad a template, or no longer one. */
export function useTemplateItem({ _id, name, template, abilities }: Pad): MenuItem {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const { mutateAsync: update } = useUpdatePad(_id);
  const is = template === true;
  const set = (wanted: boolean): void =>
    void update({ template: wanted }).then(
      () =>
        toasts.success(t(wanted ? 'template.made' : 'template.ended', { name, ...placeholders }), {
          action: { label: t('action.undo'), run: () => set(!wanted) },
        }),
      showError,
    );
  return (
    abilities.edit && {
      label: t(is ? 'template.end' : 'template.make'),
      icon: <TemplateIcon />,
      onSelect: () => set(!is),
    }
  );
}
