import type { Pad } from '../../../../api/answers';
import { useHeadingFocus } from '../../components/pageTitle';
import { RenameField, useFocusAfterRename } from '../../components/RenameField';
import { useUpdatePad } from '../../data/padChanges';
import { useTranslation } from '../../texts/i18n';
import styles from './PadView.module.css';

export interface PadTitleProps {
  pad: Pad;
  renaming: boolean;
  onRename: (renaming: boolean) => void;
}

/** The name of the pad. For people who may change it, it becomes a field when it is pressed. */
export function PadTitle({ pad, renaming, onRename }: PadTitleProps) {
  const { t } = useTranslation();
  const heading = useHeadingFocus();
  const button = useFocusAfterRename<HTMLButtonElement>(renaming);
  const { mutateAsync: update } = useUpdatePad(pad._id);
  return (
    <>
      <h1
        ref={heading}
        tabIndex={-1}
        className={renaming ? 'visually-hidden' : styles.title}
        title={pad.abilities.edit ? undefined : pad.name}
      >
        {pad.abilities.edit && !renaming ? (
          <button
            ref={button}
            type="button"
            data-key="e"
            title={t('rename.title', { name: pad.name })}
            className={styles.rename}
            onClick={() => onRename(true)}
          >
            {pad.name}
          </button>
        ) : (
          pad.name
        )}
      </h1>
      {renaming && (
        <RenameField name={pad.name} onSave={(name) => update({ name })} onClose={() => onRename(false)} />
      )}
    </>
  );
}
