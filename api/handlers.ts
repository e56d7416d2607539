/** The handlers of all calls, and the router that they make. */
import { type RequestHandler, Router } from 'express';
import * as z from 'zod';
import { accessHandlers } from './access/routes';
import { checkupHandlers } from './admin/checkup';
import { jobHandlers } from './admin/jobs';
import { lockHandlers } from './admin/locks';
import { adminLogHandlers } from './admin/log';
import { adminListHandlers } from './admin/routes';
import { testHandlers } from './admin/tests';
import { administratorHandlers } from './auth/administratorRoutes';
import { authHandlers } from './auth/routes';
import { bookmarkHandlers } from './bookmark/routes';
import { calls, type Handlers } from './calls';
import { configurationHandlers } from './configuration/routes';
import type { Call } from './declaration';
import { directoryHandlers } from './directory/routes';
import { exportHandlers } from './export/routes';
import { factorHandlers } from './factor/routes';
import { handoverHandlers } from './group/handover';
import { memberHandlers } from './group/members';
import { groupReadingHandlers } from './group/reading';
import { groupHandlers, overviewHandlers } from './group/routes';
import { importHandlers } from './import/routes';
import { invitationHandlers } from './invitation/routes';
import { l10nHandlers } from './l10n/routes';
import { linkHandlers } from './link/routes';
import { answerCall } from './middleware/answerCall';
import { isIgnored } from './middleware/ignoredFields';
import { descriptionHandlers } from './openapi/document';
import { padChangeHandlers } from './pad/changes';
import { padReadingHandlers } from './pad/routes';
import { padImportHandlers } from './padImport/routes';
import type { Assets } from './page/assets';
import { mailedLinkHandlers } from './recovery/routes';
import { requestHandlers } from './request/routes';
import { ruleHandlers } from './rules/routes';
import { searchHandlers } from './search/routes';
import type { Services } from './services';
import { tokenHandlers } from './token/routes';
import { trashHandlers } from './trash/routes';
import { profileHandlers } from './user/profile';
import { registrationHandlers } from './user/registration';
import { userHandlers } from './user/routes';
import { userListHandlers } from './userlist/routes';

const handlersOf = (services: Services, assets: Assets): Handlers => ({
  ...authHandlers(services),
  ...administratorHandlers(services),
  ...configurationHandlers(services),
  ...registrationHandlers(services),
  ...userHandlers(services),
  ...profileHandlers(services),
  ...tokenHandlers(services),
  ...factorHandlers(services),
  ...directoryHandlers(services),
  ...overviewHandlers(services),
  ...adminListHandlers(services),
  ...lockHandlers(services),
  ...jobHandlers(services),
  ...adminLogHandlers(services),
  ...ruleHandlers(services),
  ...importHandlers(services),
  ...padImportHandlers(services),
  ...checkupHandlers(services),
  ...testHandlers(services),
  ...groupHandlers(services),
  ...groupReadingHandlers(services),
  ...memberHandlers(services),
  ...handoverHandlers(services),
  ...padReadingHandlers(services),
  ...padChangeHandlers(services),
  ...linkHandlers(services),
  ...accessHandlers(services),
  ...trashHandlers(services),
  ...exportHandlers(services),
  ...requestHandlers(services),
  ...invitationHandlers(services),
  ...searchHandlers(services),
  ...userListHandlers(services),
  ...bookmarkHandlers(services),
  ...mailedLinkHandlers(services),
  /** The sign-in screen repeats this call until the index of accounts is complete. */
  'GET /cache/check': () => ({ userCacheReady: services.model.users.isReady() }),
  'GET /stats/stats.json': () => services.model.recordIndex.counts(),
  ...l10nHandlers(assets),
  ...descriptionHandlers(),
});

/** Names in paths that name no record. */
const otherNames = ['text', 'file', 'provider'];
/** Fields of bodies that name a record. */
const recordFields = [
  'id',
  'gid',
  'group',
  'key',
  'keys',
  'changes',
  'login',
  'pads',
  'session',
  'template',
  'token',
  'user',
];

/** A flag names nothing: `template` of `PUT pad`. */
const isFlag = (field: z.ZodType): boolean =>
  field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodBoolean;

/**
 * The record fields of a call, from its path, its body, and its query if the body is a file. A login in a body is
 * typed, or that of a new account.
 */
function namedRecords(path: string, { input, upload }: Call): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inBody = input?.body instanceof z.ZodObject ? Object.entries(input.body.shape) : [];
  const inQuery = upload && input?.query instanceof z.ZodObject ? Object.entries(input.query.shape) : [];
  const sent = [...inBody, ...inQuery].filter(
    ([name, field]) => name !== 'login' && !isFlag(field) && !isIgnored(z.globalRegistry.get(field) ?? {}),
  );
  return [
    ...inPath.filter((name) => !otherNames.includes(name)),
    ...sent.map(([name]) => name).filter((name) => recordFields.includes(name)),
  ];
}

/** Throws an Error for a call that names a record and has no rule for it, so that the server does not start. */
export function checkRecords(list: Readonly<Record<string, Call>>): void {
  for (const [name, declared] of Object.entries(list)) {
    const [, path = ''] = name.split(' ');
    const named = namedRecords(path, declared);
    const missing = named.filter((field) => !declared.on?.names.includes(field));
    if (missing.length > 0) throw new Error(`${name} names ${missing.join(', ')} and has no rule for it.`);
    const unknown = declared.on?.names.filter((field) => !named.includes(field)) ?? [];
    if (unknown.length > 0) throw new Error(`${name} has a rule for ${unknown.join(', ')}, which it lacks.`);
    if (!declared.summary) throw new Error(`${name} does not say what it does.`);
  }
}

/** A router for all calls. Where two paths match, the one without parameters counts. */
export function callRouter(services: Services, assets: Assets): Router {
  checkRecords(calls);
  const handlers = handlersOf(services, assets);
  const router = Router();
  const names = Object.keys(calls) as (keyof Handlers)[];
  for (const name of names.sort((one, other) => Number(one.includes('{')) - Number(other.includes('{')))) {
    const [method = '', path = ''] = name.split(' ');
    const route = router.route(path.replace(/\{(\w+)\}/g, ':$1'));
    const declared: Call = calls[name];
    if (declared.acts) route.head((_request, _response, next) => next('router'));
    const handler: RequestHandler = answerCall(declared, handlers[name], services);
    route[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](handler);
  }
  return router;
}
