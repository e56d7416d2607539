import { useState } from 'react';
import { IconButton } from '../../../components/Button';
import { PresentIcon } from '../../../components/screenIcons';
import { useAdminAccess } from '../../../data/administration';
import { useTranslation } from '../../../texts/i18n';
import { WhoCanOpen } from '../../sharing/WhoCanOpen';

interface AccessButtonProps {
  what: 'group' | 'pad';
  id: string;
  name: string;
}

/** Shows who can open a folder or a pad. */
export function AccessButton({ what, id, name }: AccessButtonProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <>
      <IconButton
        small
        label={t('whoCan.title', { name })}
        icon={<PresentIcon />}
        onClick={() => setShown(true)}
      />
      {shown && <Answer what={what} id={id} name={name} onClose={() => setShown(false)} />}
    </>
  );
}

function Answer({ what, id, name, onClose }: AccessButtonProps & { onClose: () => void }) {
  return <WhoCanOpen name={name} query={useAdminAccess(what, id)} onClose={onClose} />;
}
