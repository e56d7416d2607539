/** The second factors of one's own account. */
import { useQuery } from '@tanstack/react-query';
import type { AddedFactor, Factor, OwnFactors } from '../../../../api/factor/schema';
import { call } from '../../data/client';
import { keys } from '../../data/keys';
import { makePasskey } from '../../data/passkeys';
import { unlessEnded, useCall } from '../../data/useCall';

export function useOwnFactors(login: string) {
  return useQuery({
    queryKey: keys.factors,
    queryFn: async ({ signal }): Promise<OwnFactors> =>
      (await call('GET /user/{login}/factors', { params: { login }, signal })).value,
  });
}

/** A change, after which factors and sessions are read again. */
const useChange = <Input, Result>(send: (input: Input) => Promise<Result>) =>
  useCall(send, keys.factors, keys.sessions).mutateAsync;

/** Each of the first steps needs the password. */
export const beginApp = (login: string, currentPassword: string) =>
  call('POST /user/{login}/factors/totp/options', { params: { login }, body: { currentPassword } });

export const useAddApp = (login: string) =>
  useChange(
    (body: { pending: string; code: string }): Promise<AddedFactor> =>
      call('POST /user/{login}/factors/totp', { params: { login }, body }),
  );

export const useAddPasskey = (login: string) =>
  useChange(async ({ name, ...proof }: { name: string; currentPassword: string }): Promise<AddedFactor> => {
    const params = { login };
    const begun = await call('POST /user/{login}/factors/passkey/options', { params, body: proof });
    const passkey = await makePasskey(begun.value);
    return call('POST /user/{login}/factors/passkey', { params, body: { name, passkey } });
  });

export const useNewRecoveryCodes = (login: string) =>
  useChange(
    async (currentPassword: string): Promise<string[]> =>
      (await call('POST /user/{login}/factors/recovery', { params: { login }, body: { currentPassword } }))
        .recoveryCodes,
  );

export const useRemoveFactor = (login: string) =>
  useChange(({ factor: { _id: id }, currentPassword }: { factor: Factor; currentPassword: string }) =>
    call('DELETE /user/{login}/factors/{id}', { params: { login, id }, body: { currentPassword } }).catch(
      unlessEnded,
    ),
  );
