import { useState } from 'react';
import type { Pad } from '../../../../api/answers';
import { Button } from '../../components/Button';
import { useTranslation } from '../../texts/i18n';
import type { OpenFolder } from '../folders/FolderScreen';
import { LinksDialog } from './LinksDialog';
import styles from './ShareForm.module.css';
import sharing from './Sharing.module.css';

/** Leads to the links. */
export function LinksEntry({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <section className={sharing.section}>
      <h3 className={sharing.heading}>{t('links.heading')}</h3>
      <div className={styles.entry}>
        <p className={sharing.note}>{t('links.hint')}</p>
        <Button small data-links onClick={onOpen}>
          {t('links.manage')}
        </Button>
      </div>
    </section>
  );
}

export interface OwnLinksProps {
  folder: OpenFolder;
  pad: Pad | undefined;
}

/** For those who may make links, but not change who belongs to the folder. */
export function OwnLinks({ folder: { group, pads }, pad }: OwnLinksProps) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <LinksEntry onOpen={() => setShown(true)} />
      {shown && (
        <LinksDialog
          shared={{ group: group._id, pad: pad?._id }}
          name={pad?.name ?? group.name}
          pads={pads}
          onClose={() => setShown(false)}
        />
      )}
    </>
  );
}
