import { useQueryClient } from '@tanstack/react-query';
import type { ConfigurationAnswer } from '../../../api/configuration/schema';
import { call } from './client';
import { useUser } from './configuration';
import { keys } from './keys';

/** A function that stores a language in the person's account, so that it is theirs in every browser. */
export function useSaveLanguage(): (lang: string) => Promise<void> {
  const client = useQueryClient();
  const user = useUser();
  return async (lang) => {
    if (user === undefined || user.lang === lang) return;
    const { value } = await call('PUT /user/{login}', { params: { login: user.login }, body: { lang } });
    client.setQueryData<ConfigurationAnswer>(
      keys.configuration,
      (known) => known && { ...known, user: value },
    );
  };
}
