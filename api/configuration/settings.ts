/** JSON Schemas of the settings for the API description. */
import { describeSettings, type JsonSchema } from '../../model/settings/definitions';

const facts = describeSettings();

/** Everybody gets the URLs of `authCasSettings`. Only administrators get the stored value. */
const address = { type: 'string' };
const casAddresses: JsonSchema = {
  type: 'object',
  properties: { serverUrl: address, loginUrl: address, logoutUrl: address },
  additionalProperties: true,
};

/** `GET configuration`: every setting by its key. */
export const shownSettings: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(facts.map(({ key, schema }) => [key, schema])),
  authCasSettings: casAddresses,
};

/**
 * One schema for each setting with its value. `sent`: for requests, which must contain a value and cannot change fixed
 * settings.
 */
export function oneSetting(sent: boolean): JsonSchema[] {
  return facts
    .filter(({ fixed }) => !(sent && fixed))
    .map(({ key, schema }) => ({
      title: key,
      type: 'object',
      properties: { key: { type: 'string', enum: [key] }, value: schema },
      required: sent ? ['key', 'value'] : ['key'],
    }));
}

/** The distinct schemas of all settings. */
export const anyValue: JsonSchema[] = [
  ...new Map(facts.map(({ schema }) => [JSON.stringify(schema), schema])).values(),
];
