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

export interface LinkFieldProps extends Pick<CopyFieldProps, 'submit' | 'onCopy' | 'copiedBefore'> {
  /** The path that the link opens. */
  path: string;
  visibility: Visibility;
}

/** A link to copy, and a sentence that says for whom it works. */
export function LinkField({ path, visibility, ...rest }: LinkFieldProps) {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const who = t(signedInOnly ? 'share.signedIn' : whoGetsIn[visibility]);
  return <CopyField {...rest} label={t('share.link')} value={toUrl(path)} help={who} />;
}
