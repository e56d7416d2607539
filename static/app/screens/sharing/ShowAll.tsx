import { Button } from '../../components/Button';
import { useTranslation } from '../../texts/i18n';

export interface ShowAllProps {
  count: number;
  onShow: () => void;
}

/** A button after a list of people that shows all of them. It goes then, so the list gets the focus. */
export function ShowAll({ count, onShow }: ShowAllProps) {
  const { t } = useTranslation();
  return (
    <Button
      small
      kind="quiet"
      onClick={({ currentTarget }) => {
        onShow();
        (currentTarget.previousElementSibling as HTMLElement).focus();
      }}
    >
      {t('folderView.people.all', { count })}
    </Button>
  );
}
