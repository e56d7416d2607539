import type { PublicConfiguration } from '../../../api/configuration/schema';
import { useSignOut } from '../data/signIn';
import { showSignedOut, startLeaving } from '../screens/login/leave';
import { useTranslation } from '../texts/i18n';

/** Signs the person out and shows the sign-in screen. */
export function useLeave(): () => void {
  const { t } = useTranslation();
  const { mutateAsync: signOut } = useSignOut();
  const leave = async (): Promise<void> => {
    startLeaving();
    const url = await signOut().catch(() => undefined);
    showSignedOut(url, t('logout.done'));
  };
  return () => void leave();
}

/** Whether the person is shown the link to the administration. Everybody is, unless a setting names its people. */
export function seesAdministration(settings: PublicConfiguration, login: string): boolean {
  const { userLoginsAsAdmin } = settings;
  return userLoginsAsAdmin.length === 0 || userLoginsAsAdmin.includes(login);
}
