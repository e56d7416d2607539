/**
 * Bodies and queries as every host gives them to us: a JSON object of at most `limits.body` bytes (parsed by the host on Etherpad 2
 * and 3, by us on 1.8), and a query of texts. Names that reach into JavaScript's own objects are refused wherever they stand.
 */
import express, { type RequestHandler } from 'express';
import { MyPadsError } from '../../model/errors';
import { limits } from '../../model/limits';

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Walks without recursion: 100 kB of brackets nest deeper than the stack. */
function refuseForbiddenNames(body: object): void {
  const waiting: object[] = [body];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    for (const [name, inner] of Object.entries(value)) {
      if (forbidden.has(name)) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_UNKNOWN', { field: name });
      if (typeof inner === 'object' && inner !== null) waiting.push(inner);
    }
  }
}

const checkBody: RequestHandler = (request, _response, next) => {
  const body: unknown = request.body;
  const sent = Number(request.headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in request.headers;
  const json = request.is('application/json') !== false;
  if (sent && !json) throw new MyPadsError('BACKEND.ERROR.TYPE.JSON');
  if (!sent || body === undefined) {
    request.body = {};
  } else if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new MyPadsError('BACKEND.ERROR.TYPE.JSON');
  } else {
    refuseForbiddenNames(body);
  }
  next();
};

/** Express 4 leaves its own parsed query on the request, with nested objects; ours has texts and lists of texts. */
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

const parseJson = express.json({ limit: limits.body, strict: true });

/** Skips the parser where the host's own has read the body already. */
const parseUnlessParsed: RequestHandler = (request, response, next) => {
  if (request.body !== undefined && request.readableEnded) next();
  else parseJson(request, response, next);
};

export const readInput: RequestHandler[] = [readQuery, parseUnlessParsed, checkBody];
