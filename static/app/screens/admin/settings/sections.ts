import type { AdminSetting } from '../../../../../api/admin/schema';
import type { TextKey } from '../../../texts/i18n';

export interface Section {
  title: TextKey;
  settings: readonly AdminSetting[];
}

/** Lower case without accents, as searches compare texts. */
function searchable(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The sections by their names. */
export const sectionTitles: Readonly<Record<string, TextKey>> = {
  general: 'admin.section.general',
  accounts: 'admin.section.accounts',
  signIn: 'admin.section.signIn',
  pads: 'admin.section.pads',
  mail: 'admin.section.mail',
  page: 'admin.section.page',
} satisfies Record<AdminSetting['section'], TextKey>;

/**
 * The settings by section, in the server's order. Only those whose texts contain every word of `search`, and those that
 * are `kept`; sections without one are left out.
 */
export function sectionsOf(
  settings: readonly AdminSetting[],
  search: string,
  textOf: (setting: AdminSetting) => string,
  kept: (setting: AdminSetting) => boolean = () => false,
): Section[] {
  const words = searchable(search).split(/\s+/).filter(Boolean);
  const found = new Map<TextKey, AdminSetting[]>();
  for (const setting of settings) {
    // These have a screen of their own.
    if (setting.kind === 'steps') continue;
    const text = searchable(`${setting.key} ${textOf(setting)}`);
    if (!words.every((word) => text.includes(word)) && !kept(setting)) continue;
    // After an update of the server, an open page may not know a section.
    const title = sectionTitles[setting.section] ?? 'admin.section.other';
    found.set(title, [...(found.get(title) ?? []), setting]);
  }
  return [...found].map(([title, inside]) => ({ title, settings: inside }));
}
