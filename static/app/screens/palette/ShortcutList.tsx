import { Dialog } from '../../components/Dialog';
import { type TextKey, useTranslation } from '../../i18n';
import styles from './Palette.module.css';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Keys that do the same. Those in one text, separated by spaces, are pressed together. */
const shortcuts: readonly [keys: readonly string[], text: TextKey][] = [
  [['/', isApple ? '⌘ K' : 'Ctrl K'], 'shortcuts.palette'],
  [['C'], 'newPad.title'],
  [['J', '↓'], 'shortcuts.next'],
  [['K', '↑'], 'shortcuts.previous'],
  [['Enter'], 'shortcuts.open'],
  [['E'], 'shortcuts.edit'],
  [['S'], 'shortcuts.star'],
  [['?'], 'shortcuts.list'],
];

/** All keyboard shortcuts. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose}>
      <dl className={styles.shortcuts}>
        {shortcuts.map(([keys, text]) => (
          <div key={keys.join()} className={styles.shortcut}>
            <dt>{t(text)}</dt>
            <dd>
              {keys.map((together) => (
                <kbd key={together} className={styles.together}>
                  {together.split(' ').map((key) => (
                    <kbd key={key} className={styles.key}>
                      {key}
                    </kbd>
                  ))}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
