/** One call, as OpenAPI describes it. */
import type { Call } from '../declaration';
import { callersInWords, type Who } from '../middleware/authorise';
import { failuresOf } from './failures';
import { bodyOf, type Json, namedSchema, parametersOf, toJson } from './schemas';

/** `postPadByIdTicket` for `POST /pad/{id}/ticket`: client generators use it as the name of the function. */
const operationId = (method: string, path: string): string =>
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

/** `PostAuthLoginBody` for the body of the call `postAuthLogin`. */
const schemaName = (id: string, of: 'Body' | 'Answer'): string =>
  `${id.charAt(0).toUpperCase()}${id.slice(1)}${of}`;

function requestBody(method: string, id: string, { input, form, upload, example }: Call): Json {
  const schema = input?.body;
  const zip = { 'application/zip': { schema: { type: 'string', format: 'binary' } } };
  if (upload) return { requestBody: { required: true, content: zip } };
  if (!schema) return {};
  const content = {
    [form ? 'application/x-www-form-urlencoded' : 'application/json']: {
      schema: bodyOf(schema, schemaName(id, 'Body')),
      ...(example?.body ? { example: example.body } : {}),
    },
  };
  // A DELETE works without a body; other calls need it.
  return { requestBody: { required: method !== 'delete', content } };
}

/** A call, with its method in lower case, and the path as OpenAPI writes it: `/group/{id}`. */
export interface NamedCall {
  method: string;
  path: string;
  declaration: Call;
}

function success(id: string, { answer, example, redirects, file }: Call): Json {
  const elsewhere = { 303: { description: 'Leads the browser to the address in `Location`' } };
  if (redirects === true) return elsewhere;
  if (file !== undefined)
    return {
      200: { description: 'The file', content: { [file]: { schema: { type: 'string', format: 'binary' } } } },
    };
  const schema = namedSchema(toJson(answer, 'output'), schemaName(id, 'Answer'));
  const content = { 'application/json': { schema, ...(example?.answer ? { example: example.answer } : {}) } };
  return { 200: { description: 'Success', content }, ...(redirects && elsewhere) };
}

export function operation({ method, path, declaration }: NamedCall): Json {
  const { who, on, scope, summary, deprecated, input = {} } = declaration;
  const id = operationId(method, path);
  return {
    tags: [path.split('/')[1]],
    summary,
    description: `For: ${on?.openTo ?? callersInWords[who]}`,
    'x-api-token-scope': scope ?? 'none',
    operationId: id,
    ...(deprecated ? { deprecated } : {}),
    security: securityOf[who],
    parameters: [...parametersOf(input.params, 'path'), ...parametersOf(input.query, 'query')],
    ...requestBody(method, id, declaration),
    responses: {
      ...success(id, declaration),
      ...failuresOf(declaration),
    },
  };
}
