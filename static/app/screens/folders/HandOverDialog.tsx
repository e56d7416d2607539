import { lazy, Suspense } from 'react';
import { Dialog } from '../../components/Dialog';
import { SkeletonRows } from '../../components/States';
import { useTranslation } from '../../texts/i18n';
import { loadArea } from '../areas';
import type { HandOverProps } from '../sharing/HandOver';

const Form = lazy(async () => {
  const [{ HandOver }] = await Promise.all([import('../forms'), loadArea('account')]);
  return { default: HandOver };
});

/** Asks to whom a folder is handed over. The first screen does not need the form. */
export function HandOverDialog(props: HandOverProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('handover.title', { name: props.group.name })} onClose={props.onClose}>
      <Suspense fallback={<SkeletonRows rows={2} />}>
        <Form {...props} />
      </Suspense>
    </Dialog>
  );
}
