import { Page } from '../../../components/Page';
import { ErrorState, Skeleton, SkeletonGroup } from '../../../components/States';
import { useDailyNumbers, useNumbers } from '../../../data/administration';
import { useTranslation } from '../../../texts/i18n';
import { NumberCards } from './NumberCards';

/** How many accounts, folders and pads there are, and how many there were. */
export function Numbers() {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useNumbers();
  const days = useDailyNumbers();
  const isLoading = days.data === undefined && days.error === null;
  return (
    <Page title={t('admin.numbers.title')}>
      {data !== undefined && !isLoading && <NumberCards numbers={data} days={days.data?.days ?? []} />}
      {data === undefined && error !== null && (
        <ErrorState
          title={t('admin.numbers.failed')}
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {error === null && (data === undefined || isLoading) && (
        <SkeletonGroup>
          <Skeleton height="190px" />
        </SkeletonGroup>
      )}
    </Page>
  );
}
