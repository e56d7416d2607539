/** Keys of errors, for tests of the model. */
import { type ErrorKey, MyPadsError } from '../../model/errors';

/** The key of the error that this work fails with, or `no error`. */
export async function errorOf(work: Promise<unknown>): Promise<ErrorKey | 'no error'> {
  try {
    await work;
  } catch (error) {
    if (error instanceof MyPadsError) return error.key;
    throw error;
  }
  return 'no error';
}

/** As `errorOf`; throws when the work succeeds. */
export async function refusal(work: Promise<unknown>): Promise<ErrorKey> {
  const key = await errorOf(work);
  if (key === 'no error') throw new Error('it was not refused');
  return key;
}
