import { Button } from '../../components/Button';
import { toasts } from '../../components/Toasts';
import { useSettings } from '../../data/configuration';
import { usePasskeySignIn } from '../../data/signIn';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';

/** Signs in with a passkey alone, where passkeys work. The screen then leads on by itself. */
export function PasskeyButton() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const signIn = usePasskeySignIn();
  if (!useSettings().signInMethods.some(({ passkeys }) => passkeys)) return null;
  return (
    <Button
      wide
      busy={signIn.isPending}
      onClick={() => signIn.mutate(undefined, { onError: (error) => toasts.error(errorText(error)) })}
    >
      {t('login.passkey')}
    </Button>
  );
}
