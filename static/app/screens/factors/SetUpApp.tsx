import { lazy, Suspense } from 'react';
import { CopyField } from '../../components/CopyField';
import { SkeletonRows } from '../../components/States';
import { useTranslation } from '../../texts/i18n';

const QrCode = lazy(async () => ({ default: (await import('./QrCode')).QrCode }));

/** What an authenticator app needs: a picture to scan, and the same as text. */
export function SetUpApp({ secret, uri }: { secret: string; uri: string }) {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('factors.app.scan')}</p>
      <Suspense fallback={<SkeletonRows rows={1} height={200} />}>
        <QrCode text={uri} label={t('factors.app.qr')} />
      </Suspense>
      <CopyField label={t('factors.app.key')} value={secret} copy={t('factors.app.key.copy')} />
    </>
  );
}
