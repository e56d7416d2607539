/** Asks the browser for passkeys. Its library is loaded when one is wanted. */
import type { NewPasskeyOptions } from '../../../model/access/passkeys';
import { ApiError, call, isError } from './client';

/** The browser tells no reason: the person has cancelled, has no passkey, or it is not for this address. */
async function orFail<Answer>(ask: Promise<Answer>): Promise<Answer> {
  try {
    return await ask;
  } catch (error) {
    throw isError(error) ? error : new ApiError('CLIENT.ERROR.PASSKEY');
  }
}

/** Lets the person choose a passkey of this site. */
export async function askForPasskey() {
  const [{ startAuthentication }, { value }] = await Promise.all([
    import('./browserPasskeys'),
    call('POST /auth/passkey/options', { token: null }),
  ]);
  return orFail(startAuthentication({ optionsJSON: value }));
}

export async function makePasskey(optionsJSON: NewPasskeyOptions) {
  const { startRegistration } = await import('./browserPasskeys');
  const made = startRegistration({ optionsJSON }).catch((error: unknown) => {
    // The only reason that browsers tell.
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    throw isKnown ? new ApiError('CLIENT.ERROR.PASSKEY_KNOWN') : error;
  });
  return orFail(made);
}
