/** Registering. */
import { useQueryClient } from '@tanstack/react-query';
import type { OwnUser } from '../../../api/answers';
import type { Credentials } from '../../../api/auth/schema';
import type { Registration } from '../../../api/user/schema';
import { call, mailTimeout } from './client';
import { signInBy } from './signIn';
import { useCall } from './useCall';

/**
 * Registers. With `value.active` false, a mail was sent and the person must open its link; otherwise they are signed
 * in, unless that fails or they give up at the second step.
 */
export function useRegister() {
  const client = useQueryClient();
  return useCall(async (body: Registration & Credentials): Promise<OwnUser> => {
    const { value } = await call('POST /user', { body, token: null, timeout: mailTimeout });
    // The account is there even if this fails: to register again would be refused.
    if (value.active)
      await signInBy({ login: value.login, password: body.password }, client).catch(() => undefined);
    return value;
  });
}
