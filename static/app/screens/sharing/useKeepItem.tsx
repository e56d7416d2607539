import { useQuery } from '@tanstack/react-query';
import type { MenuItem } from '../../components/Menu';
import { LinkIcon } from '../../components/screenIcons';
import { keys } from '../../data/keys';
import { useTranslation } from '../../texts/i18n';

/** The item with which the person keeps what a link has opened in this tab: its message offers that only shortly. */
export function useKeepItem(id: string): MenuItem {
  const { t } = useTranslation();
  const { data } = useQuery<(() => void) | null>({ queryKey: keys.keepOffer(id), enabled: false });
  return data ? { label: t('openLink.keep'), icon: <LinkIcon />, onSelect: data } : false;
}
