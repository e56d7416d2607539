import type { ReactNode } from 'react';
import { LinkButton } from '../../components/Button';
import { EmptyState } from '../../components/States';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';

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
    <EmptyState {...props} action={<LinkButton href={paths.folders}>{t('action.toFolders')}</LinkButton>} />
  );
}
