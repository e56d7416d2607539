/** The resources of the API: where each is mounted, what it is about, and its routes. */
import type { Router } from 'express';
import { adminRoutes } from './admin/routes';
import { authRoutes } from './auth/routes';
import { bookmarkRoutes } from './bookmark/routes';
import { cacheRoutes } from './cache/routes';
import { configurationRoutes } from './configuration/routes';
import { allUsersRoutes, searchUsersRoutes } from './directory/routes';
import { groupRoutes, overviewRoutes } from './group/routes';
import { l10nRoutes } from './l10n/routes';
import { descriptionRoutes, type Resource } from './openapi/document';
import { padRoutes } from './pad/routes';
import type { Assets } from './page/assets';
import { confirmationRoutes, recoveryRoutes } from './recovery/routes';
import type { Services } from './services';
import { statsRoutes } from './stats/routes';
import { userRoutes } from './user/routes';
import { userListRoutes } from './userlist/routes';

/** In the order of docs/api.md. */
export function resourcesOf(services: Services, assets: Assets): readonly Resource[] {
  const mounted: [path: string, router: Router, about: string][] = [
    ['/auth', authRoutes(services), 'Signing in and out, of people and of server administrators.'],
    [
      '/configuration',
      configurationRoutes(services),
      'Settings. Everybody sees some of them, server administrators all.',
    ],
    [
      '/user',
      userRoutes(services),
      'Accounts: registration, the caller’s profile, and the accounts of others for server administrators.',
    ],
    ['/all-users', allUsersRoutes(services), 'All accounts, in the form of ep_mypads 1.x.'],
    ['/search-users', searchUsersRoutes(services), 'A search for accounts, in the form of ep_mypads 1.x.'],
    [
      '/overview',
      overviewRoutes(services),
      'Summaries of a person’s folders and pads, for lists and searches.',
    ],
    [
      '/admin',
      adminRoutes(services),
      'Lists of all settings, accounts, folders and pads, for server administrators.',
    ],
    ['/group', groupRoutes(services), 'Folders of pads (“groups”) and their members.'],
    ['/pad', padRoutes(services), 'Pads of folders, and the tickets that open them in the editor.'],
    [
      '/userlist',
      userListRoutes(services),
      'User lists: lists of people that a person keeps, to invite all of them at once.',
    ],
    ['/usermark', bookmarkRoutes(services), 'Bookmarks on folders and pads.'],
    ['/passrecover', recoveryRoutes(services), 'Choosing a new password with a link in a mail.'],
    ['/accountconfirm', confirmationRoutes(services), 'Confirming an e-mail address with a link in a mail.'],
    ['/cache', cacheRoutes(services), 'Whether the server is ready.'],
    ['/stats', statsRoutes(services), 'Numbers of accounts, folders and pads.'],
    ['/l10n', l10nRoutes(assets), 'The texts of the page.'],
    ['/openapi.json', descriptionRoutes(() => resources), 'This description.'],
  ];
  const resources: Resource[] = mounted.map(([path, router, about]) => ({ path, router, about }));
  return resources;
}
