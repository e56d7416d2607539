/** Checks of the settings of a sign-in service. */
import { isSettings } from './profile';

/** An error in the settings: `field` is a path such as `properties.login`; the message names it too. */
export class SettingsFault extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

export interface Shape {
  /** Description in words, for example "an object". */
  is: string;
  valid(value: unknown): boolean;
}

const longestText = 1_000;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= longestText;

export const text: Shape = { is: `text of at most ${longestText} characters`, valid: isText };
export const flag: Shape = { is: 'true or false', valid: (value) => typeof value === 'boolean' };
export const object: Shape = { is: 'an object', valid: isSettings };
export const texts: Shape = {
  is: 'a list of texts',
  valid: (value) => Array.isArray(value) && value.every(isText),
};
export const oneOf = (values: readonly unknown[]): Shape => ({
  is: values.join(', '),
  valid: (value) => values.includes(value),
});

/** Name of an attribute in the directory. Leave it out for the default. */
const attribute: Shape = {
  is: 'the name of an attribute',
  valid: (value) => isText(value) && value.trim() !== '',
};
const attributeShapes: Readonly<Record<string, Shape>> = {
  login: attribute,
  email: attribute,
  firstname: attribute,
  lastname: attribute,
};

/**
 * Finds the first field with an invalid value. Fields without a shape are ignored, because old databases contain unused
 * ones.
 */
export function shapeFault(
  settings: Record<string, unknown>,
  shapes: Readonly<Record<string, Shape>>,
  inside = '',
): SettingsFault | undefined {
  for (const [name, shape] of Object.entries(shapes)) {
    if (settings[name] === undefined || shape.valid(settings[name])) continue;
    return new SettingsFault(`${inside}${name}`, `${inside}${name} is not ${shape.is}`);
  }
  return undefined;
}

/** Finds the first error in `properties`. An unknown name is an error, because it is probably misspelt. */
export function propertiesFault(properties: unknown): SettingsFault | undefined {
  if (properties === undefined) return undefined;
  if (!isSettings(properties)) return new SettingsFault('properties', 'properties is not an object');
  const unknown = Object.keys(properties).find((name) => !Object.hasOwn(attributeShapes, name));
  if (unknown !== undefined) {
    const field = `properties.${unknown.slice(0, 50)}`;
    return new SettingsFault(field, `${field} is none of ${Object.keys(attributeShapes).join(', ')}`);
  }
  return shapeFault(properties, attributeShapes, 'properties.');
}
