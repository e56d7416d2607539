/** All accounts, and those that have a text in their names, for server administrators. */
import { type Request, Router } from 'express';
import { requireAdmin } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { UsersAnswer } from '../wire';
import { everybody, search, usersAnswer } from './schema';

interface Page {
  offset?: number;
  limit?: number;
}

async function find({ model }: Services, request: Request, text: string, page: Page): Promise<UsersAnswer> {
  requireAdmin(request);
  const { entries, count } = await model.directory.search(text, page);
  const byLogin = new Map<string, UsersAnswer['users'][string]>();
  for (const { login, ...facts } of entries) if (!byLogin.has(login)) byLogin.set(login, facts);
  return { users: Object.fromEntries(byLogin), usersCount: count };
}

export function allUsersRoutes(services: Services): Router {
  const router = Router();
  router.get(
    '/',
    route(everybody, usersAnswer, ({ query }, request) => find(services, request, '', query)),
  );
  return router;
}

export function searchUsersRoutes(services: Services): Router {
  const router = Router();
  router.get(
    '/:text',
    route(search, usersAnswer, ({ params, query }, request) => find(services, request, params.text, query)),
  );
  return router;
}
