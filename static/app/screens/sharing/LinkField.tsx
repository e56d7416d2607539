import type { Visibility } from '../../../../model/store/entities';
import { CopyField, type CopyFieldProps } from '../../components/CopyField';
import { useSettings } from '../../data/configuration';
import { toUrl } from '../../navigation/location';
import { type TextKey, useTranslation } from '../../texts/i18n';

const whoGetsIn: Readonly<Record<Visibility, TextKey>> = {
  restricted: 'share.restricted',
  private: 'share.private',
  public: 'share.public',
};

/** A sentence that says for whom the link of a folder or pad works. */
export function useWhoGetsIn(visibility: Visibility): string {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  return t(signedInOnly ? 'share.signedIn' : whoGetsIn[visibility]);
}

export interface LinkFieldProps extends Omit<CopyFieldProps, 'label' | 'value'> {
  /** The path that the link opens. */
  path: string;
}

/** A link to copy. */
export function LinkField({ path, ...rest }: LinkFieldProps) {
  const { t } = useTranslation();
  return <CopyField {...rest} label={t('share.link')} value={toUrl(path)} />;
}
