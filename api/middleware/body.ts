/**
 * Reads the body (a JSON object of at most `limits.body` bytes) and the query. Etherpad 2 and 3 have parsed the body
 * already; on 1.8 this file parses it. Names that could change JavaScript's prototypes are refused at any depth.
 */
import express, { type Request, type RequestHandler } from 'express';
import { MyPadsError } from '../../model/errors';
import { isObject } from '../../model/fields';
import { limits } from '../../model/limits';

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** No call takes objects and lists that are as deep in each other. To look at all that fit into 100 kB takes long. */
const maxDepth = 100;

/**
 * Throws TYPE.PARAM_UNKNOWN, and TYPE.JSON for a body that is too deep. Replaces halves of characters, as decoding does
 * in a query: programs in Python cannot print them.
 */
function checkNamesAndTexts(body: object): void {
  let level = [body as Record<string, unknown>];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === maxDepth) throw new MyPadsError('BACKEND.ERROR.TYPE.JSON');
    const next: typeof level = [];
    for (const value of level)
      for (const [name, inner] of Object.entries(value)) {
        if (forbidden.has(name)) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_UNKNOWN', { field: name });
        if (typeof inner === 'string') value[name] = inner.replace(/\p{Surrogate}/gu, '\ufffd');
        if (typeof inner === 'object' && inner !== null) next.push(inner as Record<string, unknown>);
      }
    level = next;
  }
}

declare module 'express-serve-static-core' {
  interface Request {
    /** The error of a bad body. The route throws it after checking that the caller may make the call. */
    bodyError?: unknown;
  }
}

/** Throws TYPE.JSON if the body is not a JSON object. `request.body` is always an object afterwards. */
function readBody(request: Request): void {
  const body: unknown = request.body;
  const sent = Number(request.headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in request.headers;
  const json = request.is('application/json') !== false || takesForm(request);
  if (!sent || !json || !isObject(body)) request.body = {};
  if (sent && (!json || (body !== undefined && !isObject(body))))
    throw new MyPadsError('BACKEND.ERROR.TYPE.JSON');
  checkNamesAndTexts(request.body);
}

const checkBody: RequestHandler = (request, _response, next) => {
  try {
    if (takesUpload(request)) request.body = {};
    else readBody(request);
  } catch (error) {
    request.bodyError ??= error;
  }
  next();
};

/** Replaces the parsed query, in which express 4 allows nested objects, by one with only texts and lists of texts. */
const readQuery: RequestHandler = (request, _response, next) => {
  const query: Record<string, string | string[]> = Object.create(null);
  const parsed = new URLSearchParams(request.url.split('?').slice(1).join('?'));
  for (const [name, value] of parsed) {
    const before = query[name];
    if (Array.isArray(before)) before.push(value);
    else query[name] = before === undefined ? value : [before, value];
  }
  Object.defineProperty(request, 'query', {
    value: query,
    writable: true,
    configurable: true,
    enumerable: true,
  });
  next();
};

/** Calls to which other services send a form. Others refuse one, because any site can make a browser send it. */
const takesForm = ({ method, path }: Request): boolean =>
  method === 'POST' && /^\/auth\/(oidc\/[^/]+\/(callback|logout)|cas\/logout)\/?$/i.test(path);

/** The call whose body is a ZIP. api/middleware/upload.ts reads it, after the caller was checked. */
const takesUpload = ({ method, path }: Pick<Request, 'method' | 'path'>): boolean =>
  method === 'POST' && /^\/imports\/?$/i.test(path);

const parseForm = express.urlencoded({ limit: limits.body, extended: false, parameterLimit: 50 });
const parseJson = express.json({ limit: limits.body, strict: true });

/** Does nothing if Etherpad's parser has read the body already, or has failed to. */
const parseUnlessParsed: RequestHandler = (request, response, next) => {
  const isRead = request.body !== undefined && request.readableEnded;
  if (request.bodyError !== undefined || isRead || takesUpload(request)) {
    next();
    return;
  }
  const parse = takesForm(request) ? parseForm : parseJson;
  parse(request, response, (error?: unknown) => {
    request.bodyError = error;
    next();
  });
};

export const readInput: RequestHandler[] = [readQuery, parseUnlessParsed, checkBody];
