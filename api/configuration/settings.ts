/** Describes the settings for the API description and the administration. */
import {
  type ConfigurationKey,
  configurationKeys,
  isFixed,
  isPublicKey,
  keysOfSection,
  type PublicKey,
  type SettingSection,
  settingSections,
  settings,
  type ValueSchemas,
} from '../../model/settings/definitions';
import { type Json, toJson } from '../openapi/schemas';

interface DescribedSetting {
  key: ConfigurationKey;
  section: SettingSection;
  /** Valid values. The server may refuse more. */
  schema: Json;
}

/** Names the pages of docs/ instead of linking them: links work only inside docs/. */
const withoutLinks = (markdown: string): string =>
  markdown.replace(/\[[^\]]*\]\(([^)#]*)[^)]*\)/g, '`docs/$1`');

function schemaOf(key: ConfigurationKey): Json {
  const { description, ...schema } = toJson(settings[key].value, 'output');
  return { ...schema, description: withoutLinks(String(description)) };
}

const meaningOf = (key: ConfigurationKey): string => withoutLinks(settings[key].means);

const described: readonly DescribedSetting[] = settingSections.flatMap((section) =>
  keysOfSection(section).map((key) => ({ key, section, schema: schemaOf(key) })),
);

/** The settings that can be changed, in the order of the documentation. */
export const changeableSettings = described.filter(({ key }) => !isFixed(key));

/** Keys of the settings that everybody may see. */
export const publicKeys: readonly PublicKey[] = configurationKeys.filter(isPublicKey);

export const publicSchemas = Object.fromEntries(publicKeys.map((key) => [key, settings[key].value])) as Pick<
  ValueSchemas,
  PublicKey
>;

/** Everybody gets the URLs of `authCasSettings`. Only administrators get the stored value. */
const url = { type: 'string' };
const casAddresses: Json = {
  type: 'object',
  properties: { serverUrl: url, loginUrl: url, logoutUrl: url },
  additionalProperties: true,
};

/** `GET configuration`: every setting by its key, with its meaning. */
export const shownSettings: Readonly<Record<string, Json>> = Object.fromEntries(
  described.map(({ key, schema }) => [
    key,
    { ...(key === 'authCasSettings' ? casAddresses : schema), description: meaningOf(key) },
  ]),
);

/**
 * Returns one schema for each setting with its value. `sent`: for requests, which need a value and cannot change fixed
 * settings.
 */
export function oneSetting(sent: boolean): Json[] {
  return (sent ? changeableSettings : described).map(({ key, schema }) => ({
    title: key,
    description: meaningOf(key),
    type: 'object',
    properties: { key: { type: 'string', enum: [key] }, value: schema },
    required: sent ? ['key', 'value'] : ['key'],
  }));
}

/** The distinct schemas of all settings. */
export const anyValue: Json[] = [
  ...new Map(described.map(({ schema }) => [JSON.stringify(schema), schema])).values(),
];
