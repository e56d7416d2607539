import { Page } from '../../components/Page';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import { RequestIcon } from '../../components/screenIcons';
import { useRequests } from '../../data/requests';
import { useTranslation } from '../../texts/i18n';
import { RequestRows } from '../sharing/Requests';

/** Everybody who asks for access to the person's folders. */
export function Requests() {
  const { t } = useTranslation();
  const query = useRequests();
  const { data } = query;
  return (
    <Page
      title={t('requests.title')}
      intro={data?.length === 0 ? undefined : t('requests.intro')}
      width="form"
    >
      <Loading query={query} failed={t('requests.failed')}>
        <SkeletonRows height={160} rows={2} />
      </Loading>
      {data?.length === 0 && <EmptyState icon={<RequestIcon />} title={t('requests.empty')} />}
      {data !== undefined && data.length > 0 && <RequestRows requests={data} />}
    </Page>
  );
}
