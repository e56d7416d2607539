/** Checks of the settings of a sign-in service, in zod. The messages of the schemas continue the name of the field. */
import * as z from 'zod';

/** An error in the settings. `field` is a path such as `properties.login`; the message contains it too. */
export class SettingsFault extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

const longestText = 1_000;
const isNoText = `is not text of at most ${longestText} characters`;

export const text = z.string(isNoText).max(longestText, isNoText);
export const flag = z.boolean('is not true or false');
export const choice = <const Value extends string | number>(values: readonly Value[]) =>
  z.literal([...values], `is not ${values.join(', ')}`);

export function isTextOrTexts(value: unknown): value is string | string[] {
  return [value].flat().every((one) => typeof one === 'string');
}

const isPem = (value: unknown): boolean =>
  isTextOrTexts(value) && [value].flat().every((one) => one.includes('-----BEGIN CERTIFICATE-----'));

/** Of an authority: a text or a list. */
export const certificates = z.custom<string | string[]>(isPem, 'is not one or several certificates as PEM');

const isNoAttribute = 'is not the name of an attribute';
/** Name of an attribute in the directory. Leave it out for the default. */
const attribute = z
  .string(isNoAttribute)
  .max(longestText, isNoAttribute)
  .regex(/\S/, isNoAttribute)
  .optional();

const attributes = { login: attribute, email: attribute, firstname: attribute, lastname: attribute };

/** `properties`. An unknown name is an error, because it is probably misspelt. */
export const properties = z.strictObject(attributes, {
  error: ({ code }) =>
    code === 'unrecognized_keys' ? `is none of ${Object.keys(attributes).join(', ')}` : 'is not an object',
});

function firstFault({ issues: [issue] }: z.ZodError): SettingsFault {
  if (issue === undefined) return new SettingsFault('', 'the settings are invalid');
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const field = [...issue.path, ...unknown.map((name) => name.slice(0, 50))].join('.');
  return new SettingsFault(field, `${field === '' ? 'the settings' : field} ${issue.message}`);
}

/** The first error that `schema` finds. */
export function faultOf(schema: z.ZodType, settings: unknown): SettingsFault | undefined {
  const { error } = schema.safeParse(settings);
  return error && firstFault(error);
}

/** The settings as `schema` reads them. Throws a SettingsFault. */
export function readSettings<Settings>(schema: z.ZodType<Settings>, settings: unknown): Settings {
  const { error, data } = schema.safeParse(settings);
  if (error) throw firstFault(error);
  return data;
}
