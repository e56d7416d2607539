import { Page } from '../../../components/Page';
import { Loading, Skeleton, SkeletonGroup } from '../../../components/States';
import { useDailyNumbers, useNumbers } from '../../../data/administration';
import { useTranslation } from '../../../texts/i18n';
import { NumberCards } from './NumberCards';

/** How many accounts, folders and pads there are, and how many there were. */
export function Numbers() {
  const { t } = useTranslation();
  const query = useNumbers();
  const days = useDailyNumbers();
  const numbers = days.data === undefined && days.error === null ? undefined : query.data;
  return (
    <Page title={t('admin.numbers.title')}>
      {numbers && <NumberCards numbers={numbers} days={days.data?.days ?? []} />}
      <Loading query={{ ...query, data: numbers }} failed={t('admin.numbers.failed')}>
        <SkeletonGroup>
          <Skeleton height="190px" />
        </SkeletonGroup>
      </Loading>
    </Page>
  );
}
