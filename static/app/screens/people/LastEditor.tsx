import type { Pad, Person } from '../../../../api/answers';
import { displayName } from '../../components/Avatar';
import { useUser } from '../../data/configuration';
import { useTranslation } from '../../texts/i18n';
import styles from './People.module.css';

/** `null` for a guest, `undefined` if it is not known. */
type Editor = Person | null | undefined;

/** Who changed a pad last. `people`: by id, everybody whom the person may see. */
export function editorOf(
  { lastEditor }: Pick<Pad, 'lastEditor'>,
  people: Readonly<Record<string, Person>>,
): Editor {
  return typeof lastEditor === 'string' ? people[lastEditor] : lastEditor;
}

/** The name of who changed a pad last; nothing if that is not known. */
export function LastEditor({ editor }: { editor: Editor }) {
  return <EditorName editor={editor} self={useUser()?._id} />;
}

/** As LastEditor, for rows that are told who the person is (`self`), because they must be rendered fast. */
export function EditorName({ editor, self }: { editor: Editor; self: string | undefined }) {
  const { t } = useTranslation();
  if (editor === undefined) return null;
  const name = editor && (editor._id === self ? t('lastEditor.you') : displayName(editor));
  const shown = name ?? t('lastEditor.guest');
  return (
    <span className={styles.lastEditor} title={shown}>
      <span className="visually-hidden">{t('lastEditor.heading')} </span>
      <bdi>{shown}</bdi>
    </span>
  );
}
