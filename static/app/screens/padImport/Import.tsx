import { useState } from 'react';
import { Page } from '../../components/Page';
import { useGroups } from '../../data/folders';
import { useShown } from '../../lib/useShown';
import { useQueryParams } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { ChooseFiles } from './ChooseFiles';
import type { Chosen } from './chosenFiles';
import { ImportPreview } from './ImportPreview';
import { ImportResult } from './ImportResult';

/** Makes folders and pads of files: choosing them, a preview, and how far it is. `id` in the address: that import. */
export function Import() {
  const { t } = useTranslation();
  const [parameters, set] = useQueryParams();
  const { data } = useGroups();
  const shown = useShown();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const id = parameters.get('id');
  const group = parameters.get('group') ?? '';
  const folder = data?.groups[group];
  const again = () => {
    setChosen(null);
    set({ id: null });
  };
  return (
    <Page
      title={t('import.title')}
      breadcrumb={[
        { label: t('folders.title'), href: paths.folders },
        ...(folder ? [{ label: folder.name, href: paths.folder(group) }] : []),
      ]}
      width="form"
      intro={id === null && chosen === null ? t('import.intro') : undefined}
    >
      {id !== null ? (
        <ImportResult key={id} id={id} onAgain={again} />
      ) : chosen === null ? (
        <ChooseFiles onChoose={setChosen} />
      ) : (
        <ImportPreview
          chosen={chosen}
          group={folder?.abilities.createPad ? group : ''}
          onGroup={(to) => set({ group: to || null })}
          onAgain={again}
          // The person may have gone on while the files were being sent.
          onBegun={(key) => shown.current && set({ id: key })}
        />
      )}
    </Page>
  );
}
