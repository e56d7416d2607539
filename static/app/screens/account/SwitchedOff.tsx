import type { ReactNode } from 'react';
import { LinkButton } from '../../components/Button';
import { EmptyState } from '../../components/States';
import { useTranslation } from '../../i18n';
import { paths } from '../../paths';

export interface SwitchedOffProps {
  icon: ReactNode;
  title: string;
  /** What to do instead. */
  children: ReactNode;
}

/** In place of a screen that the administrators have switched off. */
export function SwitchedOff(props: SwitchedOffProps) {
  const { t } = useTranslation();
  return (
    <EmptyState {...props} action={<LinkButton href={paths.folders}>{t('access.toFolders')}</LinkButton>} />
  );
}
