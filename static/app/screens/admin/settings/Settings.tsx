import { useMemo } from 'react';
import type { AdminSetting, AdminSettingsAnswer } from '../../../../../api/admin/schema';
import { Button } from '../../../components/Button';
import { FilterBar, SearchField } from '../../../components/Filters';
import { NothingFoundIcon } from '../../../components/icons';
import { Page } from '../../../components/Page';
import { PageParts, partHeading } from '../../../components/PageParts';
import { EmptyState, Loading, SkeletonRows } from '../../../components/States';
import { useAdminSettings } from '../../../data/administration';
import { useQueryParams } from '../../../navigation/location';
import { useTranslation } from '../../../texts/i18n';
import { DocsIntro } from '../DocsLink';
import { OneSetting } from './OneSetting';
import { useSettingTexts } from './SettingRow';
import styles from './Settings.module.css';
import { sectionsOf } from './sections';
import { TestMail } from './TestMail';
import { unsavedKeys } from './unsaved';

/** All settings in sections, with a search. */
export function Settings() {
  const { t } = useTranslation();
  const query = useAdminSettings();
  const { data } = query;
  return (
    <Page
      title={t('admin.settings.title')}
      intro={
        <DocsIntro text={t('admin.settings.intro')} page="configuration" about={t('admin.settings.title')} />
      }
    >
      {data !== undefined && <Loaded answer={data} />}
      <Loading query={query} failed={t('admin.settings.failed')}>
        <SkeletonRows height={88} rows={6} />
      </Loading>
    </Page>
  );
}

function Loaded({ answer }: { answer: AdminSettingsAnswer }) {
  const { t } = useTranslation();
  const textsOf = useSettingTexts();
  const [parameters, set] = useQueryParams();
  const search = parameters.get('q') ?? '';
  const textOf = (setting: AdminSetting): string => Object.values(textsOf(setting)).join(' ');
  // What was typed for a setting would be lost if it were not shown. It stays until the search changes, so that the
  // field does not go while somebody saves it.
  const kept = useMemo(() => (search === '' ? [] : unsavedKeys()), [search]);
  const sections = sectionsOf(answer.settings, search, textOf, ({ key }) => kept.includes(key));
  const count = sections.reduce((sum, { settings }) => sum + settings.length, 0);
  return (
    <PageParts>
      <FilterBar
        search={
          <SearchField label={t('admin.settings.search')} value={search} onChange={(q) => set({ q })} />
        }
        count={search === '' ? undefined : t('admin.settings.found', { count })}
      />
      {sections.map(({ title, settings }) => (
        <section key={title} className={styles.section} aria-labelledby={title}>
          <h2 {...partHeading(title.split('.').at(-1) ?? '')} id={title} className={styles.heading}>
            {t(title)}
          </h2>
          <ul>
            {settings.map((setting) => (
              <OneSetting key={setting.key} setting={setting} answer={answer} />
            ))}
            {title === 'admin.section.mail' && (
              <li className={styles.setting}>
                <TestMail
                  settings={settings}
                  contact={answer.settings.find(({ key }) => key === 'mailContact')?.value}
                />
              </li>
            )}
          </ul>
        </section>
      ))}
      {count === 0 && (
        <EmptyState
          icon={<NothingFoundIcon />}
          title={t('admin.settings.nothing', { text: search })}
          action={<Button onClick={() => set({ q: null })}>{t('filter.clearSearch')}</Button>}
        />
      )}
    </PageParts>
  );
}
