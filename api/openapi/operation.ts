/** One call, as OpenAPI describes it. */
import type { CallSummary } from '../calls';
import type { Who } from '../middleware/authorise';
import type { Description } from '../middleware/validate';
import { examples } from './examples';
import { failuresOf } from './failures';
import { bodyOf, type Json, parametersOf, toJson } from './schemas';

/** `postPadByIdTicket` for `POST /pad/{id}/ticket`: client generators use it as the name of the function. */
const nameOf = (method: string, path: string): string =>
  method +
  path.replace('{', 'by-').replace(/[^a-z0-9]+([a-z0-9]?)/gi, (_all, first: string) => first.toUpperCase());

const token = [{ token: [] }, { auth_token: [] }];

const securityOf: Readonly<Record<Who, readonly Json[]>> = {
  public: [{}, ...token],
  everybody: [{}, ...token],
  visitor: token,
  person: token,
  signedIn: token,
  oneself: token,
  administrator: token,
  hostAdministrator: [{ hostSession: [] }],
};

function requestBody(
  method: string,
  schema: NonNullable<Description['input']>['body'],
  example: unknown,
): Json {
  if (!schema) return {};
  const content = { 'application/json': { schema: bodyOf(schema), ...(example ? { example } : {}) } };
  // A DELETE works without a body; other calls need it.
  return { requestBody: { required: method !== 'delete', content } };
}

/** `path` as OpenAPI writes it: `/pad/{id}`. */
export function operation(
  method: string,
  path: string,
  description: Description,
  summary: CallSummary,
): Json {
  const { who, input = {}, answer } = description;
  const call = `${method.toUpperCase()} ${path}`;
  const example = examples[call];
  return {
    tags: [path.split('/')[1]],
    summary: summary.does,
    description: `For: ${summary.who}`,
    operationId: nameOf(method, path),
    ...(summary.deprecated ? { deprecated: true } : {}),
    security: securityOf[who],
    parameters: [...parametersOf(input.params, 'path'), ...parametersOf(input.query, 'query')],
    ...requestBody(method, input.body, example?.body),
    responses: {
      200: {
        description: 'Success',
        content: {
          'application/json': {
            schema: toJson(answer, 'output'),
            ...(example?.answer ? { example: example.answer } : {}),
          },
        },
      },
      ...failuresOf(call, description),
    },
  };
}
