import { Button } from '../../components/Button';
import { useErrorToast } from '../../components/Toasts';
import { useSettings } from '../../data/configuration';
import { usePasskeySignIn } from '../../data/signIn';
import { useTranslation } from '../../texts/i18n';

/** Signs in with a passkey alone, where passkeys work. The screen then leads on by itself. */
export function PasskeyButton() {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const signIn = usePasskeySignIn();
  if (!useSettings().signInMethods.some(({ passkeys }) => passkeys)) return null;
  return (
    <Button wide busy={signIn.isPending} onClick={() => signIn.mutateAsync().catch(showError)}>
      {t('login.passkey')}
    </Button>
  );
}
