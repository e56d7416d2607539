import type { Group, Pad, Visibility } from '../../../../api/wire';
import { ShareDialog } from '../../components/Share';
import { useSettings } from '../../data/queries';
import { type TextKey, useTranslation } from '../../i18n';
import { toUrl } from '../../location';
import { places } from '../../places';

const whoGetsIn: Readonly<Record<Visibility, TextKey>> = {
  restricted: 'share.restricted',
  private: 'share.private',
  public: 'share.public',
};

function useWho(visibility: Visibility): string {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly } = useSettings();
  return t(allPadsPublicsAuthentifiedOnly ? 'share.signedIn' : whoGetsIn[visibility]);
}

/** The link to a folder. */
export function ShareFolder({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ShareDialog
      title={t('share.title', { name: group.name })}
      url={toUrl(places.folder(group._id))}
      onClose={onClose}
    >
      {useWho(group.visibility)}
    </ShareDialog>
  );
}

/** The link to a pad. */
export function SharePad({ pad, onClose }: { pad: Pad; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ShareDialog
      title={t('share.title', { name: pad.name })}
      url={toUrl(places.pad(pad.group, pad._id))}
      onClose={onClose}
    >
      {useWho(pad.effective.visibility)}
    </ShareDialog>
  );
}
