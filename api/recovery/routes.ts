/** Links in mails: choosing a new password, and confirming an address. */
import type { Request } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import { isPartOfForeignPage } from '../../web/foreignPage';
import { addressOf, mailboxOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { placeOf } from '../middleware/caller';
import type { Services } from '../services';

export const mailedLinkHandlers = (services: Services) => {
  const { model, limits } = services;
  return {
    async 'POST /passrecover'({ body: { email }, caller }, request) {
      const [address, mailbox] = [addressOf(request), mailboxOf(email)];
      const costs = [
        ['recoveryAddress', address],
        ['recovery', `${address} ${mailbox}`],
        ['recoveryAccount', mailbox],
      ] as const;
      await limits.spend(mayAdministrate(caller.actor) ? [] : costs, () =>
        model.accountMail.requestRecovery(email, placeOf(request)),
      );
      return { success: true };
    },

    /** Does not use the link up. */
    async 'GET /passrecover/{token}'({ params: { token } }, request) {
      if (isPartOfForeignPage(request)) throw new MyPadsError('BACKEND.ERROR.TOKEN.INCORRECT');
      await withLink(services, request, () => model.accountMail.checkRecovery(token));
      return { success: true };
    },

    async 'PUT /passrecover/{token}'({ params: { token }, body: { password, passwordConfirm } }, request) {
      const { login } = await withLink(services, request, () =>
        model.accountMail.completeRecovery(token, password, passwordConfirm, placeOf(request)),
      );
      return { success: true, login };
    },

    async 'POST /accountconfirm'({ body: { token } }, request) {
      const { login } = await withLink(services, request, () => model.accountMail.confirm(token));
      return { success: true, login };
    },
  } satisfies Partial<Handlers>;
};

/**
 * Runs `use`, with a rate limit for invalid links, and logs why a link is refused. Links are counted after they were
 * read: nobody can guess a valid one, and its owner gets in while others at the address have used up the limit.
 */
export async function withLink<Used>(
  { model, limits }: Services,
  request: Request,
  use: () => Promise<Used>,
): Promise<Used> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof MyPadsError && error.key.startsWith('BACKEND.ERROR.TOKEN.')) {
      const address = addressOf(request);
      await limits.consume('mailedLink', address);
      model.log.warn('mailed link refused', { address, reason: error.key });
    }
    throw error;
  }
}
