import { useState, useSyncExternalStore } from 'react';
import type { Pad } from '../../../../api/wire';
import { IconButton, IconLink } from '../../components/Button';
import buttonStyles from '../../components/Button.module.css';
import { Chip } from '../../components/Chip';
import { classNames } from '../../components/classNames';
import {
  BackIcon,
  ExpandViewIcon,
  NewTabIcon,
  ReadonlyIcon,
  RemoveChatIcon,
  RemoveIcon,
  SettingsIcon,
  ShareIcon,
} from '../../components/icons';
import { Menu, type MenuAction } from '../../components/Menu';
import { useHeadingFocus } from '../../components/Page';
import { useSettings, useUser } from '../../data/queries';
import { useTranslation } from '../../i18n';
import { navigate } from '../../location';
import { places } from '../../places';
import { RemoveChatHistory, RemovePad } from '../removal/RemovePad';
import { BookmarkStar } from '../sharing/BookmarkStar';
import { SharePad } from '../sharing/ShareLinks';
import { editorAddress } from './editorAddress';
import styles from './PadView.module.css';

const narrow = matchMedia('(max-width: 699px)');

function watchNarrow(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

export interface PadBarProps {
  pad: Pad;
  folderName: string | undefined;
  /** Only the heading stays, for screen readers. */
  hidden: boolean;
  /** Missing: there is no editor to expand. */
  onExpand: (() => void) | undefined;
  onNewTab: () => void;
}

/** The slim bar above the editor. Where it is narrow, all but the star move into the menu. */
export function PadBar({ pad, folderName, hidden, onExpand, onNewTab }: PadBarProps) {
  const { t } = useTranslation();
  const heading = useHeadingFocus();
  const user = useUser();
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  const isNarrow = useSyncExternalStore(watchNarrow, () => narrow.matches);
  const [question, setQuestion] = useState<'share' | 'remove' | 'removeChatHistory' | null>(null);
  const { abilities } = pad;
  const shareable = signedInOnly || pad.effective.visibility !== 'restricted';
  const back =
    folderName === undefined
      ? user && { href: places.folders, label: t('page.back', { where: t('folders.title') }) }
      : { href: places.folder(pad.group), label: t('page.back', { where: folderName }) };
  const openTab = (): void => {
    window.open(editorAddress(pad._id), '_blank', 'noopener');
    onNewTab();
  };
  const share: MenuAction = {
    label: t('folderView.pad.share'),
    icon: <ShareIcon />,
    onSelect: () => setQuestion('share'),
  };
  const settings: MenuAction = {
    label: t('padView.settings'),
    icon: <SettingsIcon />,
    href: places.editPad(pad.group, pad._id),
  };
  const newTab: MenuAction = { label: t('padView.newTab'), icon: <NewTabIcon />, onSelect: openTab };

  const title = (
    <h1 ref={heading} tabIndex={-1} className={hidden ? 'visually-hidden' : styles.title} title={pad.name}>
      {pad.name}
    </h1>
  );
  if (hidden) return title;
  return (
    <header className={styles.bar}>
      {back && <IconLink href={back.href} label={back.label} icon={<BackIcon className={styles.flip} />} />}
      <div className={styles.names}>
        {title}
        {folderName !== undefined && <p className={styles.folder}>{folderName}</p>}
      </div>
      {!signedInOnly && pad.effective.readonly && (
        <Chip icon={<ReadonlyIcon />} title={t('padView.readonly.help')}>
          <span className={isNarrow ? 'visually-hidden' : undefined}>{t('padView.readonly')}</span>
        </Chip>
      )}
      <div className={styles.tools}>
        {abilities.bookmark && <BookmarkStar type="pads" id={pad._id} name={pad.name} />}
        {!isNarrow && shareable && (
          <IconButton label={share.label} icon={share.icon} onClick={() => setQuestion('share')} />
        )}
        {!isNarrow && abilities.edit && (
          <IconLink label={settings.label} icon={settings.icon} href={places.editPad(pad.group, pad._id)} />
        )}
        {!isNarrow && (
          <a
            href={editorAddress(pad._id)}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={newTab.label}
            title={newTab.label}
            className={classNames(buttonStyles.button, buttonStyles.quiet, buttonStyles.square)}
            onClick={onNewTab}
          >
            <NewTabIcon />
          </a>
        )}
        {(isNarrow || abilities.remove) && (
          <Menu
            label={t('padView.more', { name: pad.name })}
            items={[
              isNarrow && shareable && share,
              isNarrow && abilities.edit && settings,
              isNarrow && newTab,
              isNarrow && abilities.remove && 'line',
              abilities.removeChatHistory && {
                label: t('folderView.pad.removeChat'),
                icon: <RemoveChatIcon />,
                danger: true,
                onSelect: () => setQuestion('removeChatHistory'),
              },
              abilities.remove && {
                label: t('folderView.pad.remove'),
                icon: <RemoveIcon />,
                danger: true,
                onSelect: () => setQuestion('remove'),
              },
            ]}
          />
        )}
        {onExpand !== undefined && (
          <IconButton label={t('padView.expand')} icon={<ExpandViewIcon />} onClick={onExpand} />
        )}
      </div>
      {question === 'share' && <SharePad pad={pad} onClose={() => setQuestion(null)} />}
      {question === 'removeChatHistory' && <RemoveChatHistory pad={pad} onClose={() => setQuestion(null)} />}
      {question === 'remove' && (
        <RemovePad
          pad={pad}
          onClose={() => setQuestion(null)}
          onDone={() => navigate(places.folder(pad.group), { replace: true })}
        />
      )}
    </header>
  );
}
