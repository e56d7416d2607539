import type { PublicConfiguration } from '../../../api/configuration/schema';
import { useErrorToast } from '../components/Toasts';
import { useSignOut } from '../data/signIn';
import { navigate } from '../navigation/location';
import { showSignedOut, startLeaving } from '../screens/login/leave';
import { useTranslation } from '../texts/i18n';

/** Signs the person out and shows the sign-in screen. */
export function useLeave(): () => void {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const { mutateAsync: signOut } = useSignOut();
  return () => {
    startLeaving();
    signOut().then(
      (url) => showSignedOut(url, t('logout.done')),
      (error: unknown) => {
        navigate('/login', { replace: true });
        showError(error);
      },
    );
  };
}

/** Whether the person is shown the link to the administration. Everybody is, unless a setting names its people. */
export function seesAdministration(settings: PublicConfiguration, login: string): boolean {
  const { userLoginsAsAdmin } = settings;
  return userLoginsAsAdmin.length === 0 || userLoginsAsAdmin.includes(login);
}
