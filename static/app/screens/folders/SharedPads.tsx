import { useMemo, useState } from 'react';
import type { PadSummary } from '../../../../api/answers';
import { Rows } from '../../components/Rows';
import { PadIcon } from '../../components/screenIcons';
import type { Groups } from '../../data/folders';
import { bestMatches, searchable, wordsOf } from '../../lib/matching';
import { useTranslation } from '../../texts/i18n';
import { PadLine } from '../padActions/PadLine';
import { SharePadAt } from '../padActions/PadQuickMenu';
import styles from './Folders.module.css';

/** The pads that are shared alone with the person, by name; with a search, those whose name fits. */
export function useSharedPads({ shared }: Pick<Groups, 'shared'>, text: string): PadSummary[] {
  const { language } = useTranslation();
  const all = useMemo(
    () =>
      Object.values(shared)
        .sort((one, other) => one.name.localeCompare(other.name, language))
        .map((pad) => ({ pad, searched: searchable(pad.name) })),
    [shared, language],
  );
  return useMemo(
    () => (text === '' ? all : bestMatches(all, wordsOf(text), all.length)).map(({ pad }) => pad),
    [all, text],
  );
}

/** The section of the list of folders with these pads. */
export function SharedPads({ pads, groups }: { pads: readonly PadSummary[]; groups: Groups }) {
  const { t } = useTranslation();
  const [sharing, setSharing] = useState<string | null>(null);
  if (pads.length === 0) return null;
  return (
    <section className={styles.section} aria-label={t('shared.title')}>
      <h2 className={styles.heading}>
        {t('shared.title')}
        <span className={styles.number}>{pads.length}</span>
      </h2>
      <Rows label={t('shared.title')}>
        {pads.map((pad) => (
          <PadLine
            key={pad._id}
            pad={pad}
            group={undefined}
            people={groups.users}
            star={<PadIcon />}
            onShare={setSharing}
          />
        ))}
      </Rows>
      {sharing !== null && <SharePadAt id={sharing} onClose={() => setSharing(null)} />}
    </section>
  );
}
