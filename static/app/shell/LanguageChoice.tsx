import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { languages } from '../../../model/languages';
import { Dialog } from '../components/Dialog';
import { CheckIcon, LanguageIcon } from '../components/icons';
import type { MenuAction } from '../components/Menu';
import { useTranslation } from '../texts/i18n';
import styles from './LanguageChoice.module.css';
import { useLanguageItems } from './preferenceItems';

interface LanguageChoice {
  /** An entry for a menu; `false` if there is nothing to choose. */
  item: MenuAction | false;
  /** The dialog, while it is open. */
  dialog: ReactNode;
}

/** The choice of the language: an entry of a menu, and the dialog that it opens. */
export function useLanguageChoice(): LanguageChoice {
  const { t } = useTranslation();
  const items = useLanguageItems();
  const [open, setOpen] = useState(false);
  const current = items.find(({ checked }) => checked);
  return {
    item: items.length > 0 && {
      label: t('language.label'),
      hint: current?.label,
      icon: <LanguageIcon />,
      onSelect: () => setOpen(true),
    },
    // In the body: the dialog has a header of its own, and must not be inside the header of the menu.
    dialog: open && createPortal(<LanguageDialog onClose={() => setOpen(false)} />, document.body),
  };
}

/** All languages, each by its own name. Pressing one shows the page in it. */
function LanguageDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const items = useLanguageItems();
  return (
    <Dialog title={t('language.label')} onClose={onClose} size="medium">
      <ul className={styles.languages}>
        {items.map(({ code, label, hint, checked, onSelect }) => (
          <li key={code}>
            <button
              type="button"
              aria-pressed={checked === true}
              data-first={checked || undefined}
              className={styles.language}
              onClick={() => {
                onSelect?.();
                onClose();
              }}
            >
              <span className={styles.name}>
                <span lang={code} dir={languages[code].direction}>
                  {label}
                </span>
                {hint !== undefined && <small className={styles.hint}>{hint}</small>}
              </span>
              {checked && <CheckIcon className={styles.check} />}
            </button>
          </li>
        ))}
      </ul>
      {items.some(({ hint }) => hint !== undefined) && (
        <p className={styles.help}>{t('language.unreviewed.all')}</p>
      )}
    </Dialog>
  );
}
