import { useState } from 'react';
import type { OwnUser } from '../../../../api/answers';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { useErrorToast } from '../../components/Toasts';
import { type TextKey, useTranslation } from '../../texts/i18n';
import { useChangeAccount } from '../account/accountCalls';
import styles from './ShortcutList.module.css';

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
  [['F6'], 'toast.region'],
  [['?'], 'shortcuts.list'],
];

const isSingle = (keys: string): boolean => /^[A-Z/?]$/.test(keys);

/** The shortcuts that work. Those of a single key can be switched off here, as in the account. */
export function ShortcutList({ user, onClose }: { user: OwnUser; onClose: () => void }) {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const { mutateAsync } = useChangeAccount(user.login);
  const [singleKeys, setSingleKeys] = useState(user.singleKeys);
  const change = (value: boolean): void => {
    setSingleKeys(value);
    mutateAsync({ singleKeys: value }).catch((error: unknown) => {
      setSingleKeys(user.singleKeys);
      showError(error);
    });
  };
  const shown = shortcuts
    .map(([keys, text]) => ({ text, keys: keys.filter((key) => singleKeys || !isSingle(key)) }))
    .filter(({ keys }) => keys.length > 0);
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose}>
      <dl className={styles.shortcuts}>
        {shown.map(({ keys, text }) => (
          <div key={text} className={styles.shortcut}>
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
      <Checkbox
        label={t('shortcuts.singleKeys')}
        help={t('shortcuts.singleKeys.help')}
        checked={singleKeys}
        onChange={({ target }) => change(target.checked)}
      />
    </Dialog>
  );
}
