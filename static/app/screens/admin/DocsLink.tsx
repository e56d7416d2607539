import { Link } from '../../navigation/location';
import { useTranslation } from '../../texts/i18n';
import { adminPaths } from './adminPaths';

export interface DocsLinkProps {
  /** A page of docs/, perhaps with a heading: `mail#test-it`. */
  page: string;
  /** What it is about, for screen readers: several such links are on one screen. */
  about: string;
}

/** “Learn more”: opens the documentation in a new tab, so that what was typed stays. */
export function DocsLink({ page, about }: DocsLinkProps) {
  const { t } = useTranslation();
  const text = t('help.more');
  return (
    <Link
      href={adminPaths.docsPage(page)}
      target="_blank"
      aria-label={t('text.detail', { text, detail: about })}
    >
      {text}
    </Link>
  );
}

/** The same after a sentence, below the heading of a screen. */
export const DocsIntro = ({ text, ...link }: DocsLinkProps & { text: string }) => (
  <>
    {text} <DocsLink {...link} />
  </>
);
