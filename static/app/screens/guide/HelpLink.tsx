import { useSettings } from '../../data/configuration';
import { Link } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';

export interface HelpLinkProps {
  /** A page of the guide, perhaps with a heading: `sharing#links`. */
  page: string;
  /** What it is about, for screen readers: several such links may be on one screen. */
  about: string;
}

/** “Learn more”: opens the guide in a new tab, so that forms and dialogs stay. Nothing if the guide is off. */
export function HelpLink({ page, about }: HelpLinkProps) {
  const { t } = useTranslation();
  const { guide } = useSettings();
  if (!guide) return null;
  const text = t('help.more');
  return (
    <Link href={paths.helpPage(page)} target="_blank" aria-label={t('text.detail', { text, detail: about })}>
      {text}
    </Link>
  );
}
