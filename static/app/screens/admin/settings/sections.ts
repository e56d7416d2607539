import type { AdminSetting } from '../../../../../api/admin/schema';
import type { TextKey } from '../../../i18n';

/** The sections of the screen, and the settings of each in their order. */
const sections = [
  { title: 'admin.section.general', keys: ['title', 'rootUrl', 'defaultLanguage', 'trustProxy'] },
  {
    title: 'admin.section.accounts',
    keys: [
      'openRegistration',
      'checkMails',
      'tokenDuration',
      'passwordMin',
      'passwordMax',
      'insensitiveMailMatch',
    ],
  },
  { title: 'admin.section.signIn', keys: ['authMethod', 'authLdapSettings', 'authCasSettings'] },
  {
    title: 'admin.section.pads',
    keys: ['allowEtherPads', 'allPadsPublicsAuthentifiedOnly', 'useFirstLastNameInPads', 'deleteJobQueue'],
  },
  {
    title: 'admin.section.mail',
    keys: [
      'SMTPHost',
      'SMTPPort',
      'SMTPSSL',
      'SMTPTLS',
      'SMTPUser',
      'SMTPPass',
      'SMTPEmailFrom',
      'mailContact',
    ],
  },
  {
    title: 'admin.section.page',
    keys: [
      'loginMsg',
      'HTMLExtraHead',
      'hideHelpBlocks',
      'disableLangageSelect',
      'disableUserProfile',
      'disableUserList',
      'disableLogoutButton',
      'userLoginsAsAdmin',
    ],
  },
] as const satisfies readonly { title: TextKey; keys: readonly string[] }[];

/** Settings that have a screen of their own. */
const elsewhere = ['firstSteps'];

export interface Section {
  title: TextKey;
  settings: readonly AdminSetting[];
}

/** Lower case without accents, as searches compare texts. */
function searchable(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * The settings by section. Only those whose texts contain every word of `search`; sections without one are left out.
 * Settings that this page does not know come last.
 */
export function sectionsOf(
  settings: readonly AdminSetting[],
  search: string,
  textOf: (setting: AdminSetting) => string,
): Section[] {
  const words = searchable(search).split(/\s+/).filter(Boolean);
  const found = settings.filter((setting) => {
    const text = searchable(`${setting.key} ${textOf(setting)}`);
    return words.every((word) => text.includes(word));
  });
  const known: readonly string[] = [...elsewhere, ...sections.flatMap(({ keys }) => keys)];
  const all: Section[] = sections.map(({ title, keys }) => ({
    title,
    settings: keys.flatMap((key) => found.find((setting) => setting.key === key) ?? []),
  }));
  all.push({ title: 'admin.section.other', settings: found.filter(({ key }) => !known.includes(key)) });
  return all.filter((section) => section.settings.length > 0);
}
