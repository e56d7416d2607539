import { useMemo } from 'react';
import type { Pad } from '../../../../api/answers';
import { IconButton, IconLink } from '../../components/Button';
import { NextIcon } from '../../components/icons';
import { Menu, type MenuItem } from '../../components/Menu';
import { AddIcon, ExpandIcon, FolderOpenIcon, PadIcon, PreviousIcon } from '../../components/screenIcons';
import { useGroup } from '../../data/folders';
import { rememberedSorting } from '../../data/preferences';
import { folderOf, paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import type { OpenFolder } from '../folders/FolderScreen';
import { sortPads } from '../folders/sortPads';
import { useNewPad } from '../newPad/useNewPad';
import styles from './PadView.module.css';

/** Maximum number of pads in the menu; the folder's screen shows all. */
const padsShown = 30;

export interface Siblings {
  folder: OpenFolder;
  /** All pads of the folder, sorted as on its screen. */
  pads: readonly Pad[];
  previous: Pad | undefined;
  next: Pad | undefined;
}

/** The other pads in the folder of a pad; `undefined` while they are loaded, and if the person may not see them. */
export function useSiblings(pad: Pad): Siblings | undefined {
  const { language } = useTranslation();
  const { data: folder, isPlaceholderData } = useGroup(pad.group ?? '');
  return useMemo(() => {
    if (folder === undefined || folder.locked || isPlaceholderData) return undefined;
    const pads = sortPads(Object.values(folder.pads), rememberedSorting('pad'), language);
    const at = pads.findIndex(({ _id }) => _id === pad._id);
    return {
      folder,
      pads,
      previous: at < 0 ? undefined : pads[at - 1],
      next: at < 0 ? undefined : pads[at + 1],
    };
  }, [folder, isPlaceholderData, language, pad._id]);
}

/** The pads around the current one, as many as fit into a menu. */
function around(pads: readonly Pad[], id: string): readonly Pad[] {
  const at = pads.findIndex(({ _id }) => _id === id);
  const start = Math.max(0, Math.min(at - padsShown / 2, pads.length - padsShown));
  return pads.slice(start, start + padsShown);
}

/** Links to the previous and the next pad: buttons, or menu entries for a bar without room for them. */
export function useSteps({ previous, next }: Partial<Siblings> = {}) {
  const { t } = useTranslation();
  const steps = [
    { pad: previous, text: 'padView.previous', icon: <PreviousIcon /> },
    { pad: next, text: 'padView.next', icon: <NextIcon /> },
  ] as const;
  return steps.flatMap(({ pad, text, icon }) =>
    pad ? [{ label: t(text, { name: pad.name }), icon, href: paths.pad(folderOf(pad), pad._id) }] : [],
  );
}

/** A menu with the pads of the folder, and buttons for the previous and the next one. */
export function PadSiblings({ pad, siblings }: { pad: Pad; siblings: Siblings }) {
  const { t } = useTranslation();
  const newPad = useNewPad();
  const { folder, pads } = siblings;
  const steps = useSteps(siblings);
  const { group } = folder;
  return (
    <div className={styles.siblings}>
      <Menu
        label={t('padView.pads', { name: group.name })}
        align="start"
        trigger={(props) => (
          <IconButton
            {...props}
            small
            label={t('padView.pads', { name: group.name })}
            icon={<ExpandIcon />}
          />
        )}
        items={() => [
          { heading: group.name },
          ...around(pads, pad._id).map(
            (other): MenuItem => ({
              label: other.name,
              icon: <PadIcon />,
              checked: other._id === pad._id,
              href: paths.pad(folderOf(other), other._id),
            }),
          ),
          'line',
          group.abilities.createPad && {
            label: t('newPad.title'),
            icon: <AddIcon />,
            onSelect: () => newPad.create(group),
          },
          {
            label: t('padView.allPads', { count: pads.length }),
            icon: <FolderOpenIcon />,
            href: paths.folder(group._id),
          },
        ]}
      />
      {steps.map((step) => (
        <IconLink key={step.href} small {...step} />
      ))}
    </div>
  );
}
