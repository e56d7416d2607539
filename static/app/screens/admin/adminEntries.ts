import { withParameters } from '../../navigation/location';
import { type TextKey, translate } from '../../texts/i18n';
import { adminPaths } from './adminPaths';
import { sectionTitles } from './settings/sections';

/** The screens of the administration, and the sections of its settings, for the palette. */
export function adminEntries(): { label: string; href: string }[] {
  const screens: readonly [TextKey, string][] = [
    ['admin.nav.settings', adminPaths.settings],
    ['admin.nav.users', adminPaths.users],
    ['admin.users.add', adminPaths.addUser],
    ['admin.nav.folders', adminPaths.folders],
    ['admin.nav.pads', adminPaths.pads],
    ['admin.rules.title', adminPaths.rules],
    ['tokens.title', adminPaths.tokens],
    ['admin.numbers.title', adminPaths.numbers],
    ['admin.checkup.title', adminPaths.checkup],
    ['admin.log.title', adminPaths.log],
    ['admin.docs.title', adminPaths.docs],
  ];
  const sections = Object.entries(sectionTitles).map(([section, title]) => ({
    label: translate('text.detail', { text: translate('admin.nav.settings'), detail: translate(title) }),
    href: withParameters(adminPaths.settings, { section }),
  }));
  return [...screens.map(([key, href]) => ({ label: translate(key), href })), ...sections];
}
