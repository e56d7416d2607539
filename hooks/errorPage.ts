/** Answers errors at a pad's address: a page for a browser, JSON for a program. */
import type { Request, RequestHandler, Response } from 'express';
import { type ErrorKey, MyPadsError } from '../model/errors';
import { escapeHtml } from '../model/html';
import { type LanguageCode, languageCodes, languages, matchLanguage } from '../model/languages';
import { pageText } from '../model/pageTexts';
import { answerJsonError } from '../web/errorAnswer';
import { securityHeaders } from '../web/headers';
import { discardEmptySession, wantsPage } from './unavailable';

/** `address`: of a link that opens in a new tab. */
function pageOf(error: ErrorKey, language: LanguageCode, address?: string): string {
  const text = (key: string): string => escapeHtml(pageText(language, key));
  const title = text('ERROR_PAGE.TITLE');
  const sentence = text(error);
  const link =
    address === undefined
      ? ''
      : `<p><a href="${escapeHtml(address)}" target="_blank" rel="noopener">${text('ERROR_PAGE.OPEN')}</a></p>`;
  return `<!DOCTYPE html>
<html lang="${language}" dir="${languages[language].direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><h1>${title}</h1><p>${sentence}</p>${link}</body></html>`;
}

/**
 * Says in a frame of another site why the pad is not shown there, with a link to `address`. The browser shows neither
 * the app in such a frame nor an answer with all of `securityHeaders`.
 */
export function answerInForeignFrame(
  request: Request,
  response: Response,
  { error, address }: { error: ErrorKey; address: string },
): void {
  const language = matchLanguage(request.acceptsLanguages(), languageCodes) ?? 'en';
  response.status(new MyPadsError(error).status);
  response.set({
    Vary: 'Accept, Accept-Language',
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  });
  response.type('html').send(pageOf(error, language, address));
}

/** The page has only the text of the error, in the reader's language; JSON has the details of the error too. */
export function answerError(request: Request, response: Response, error: MyPadsError): void {
  discardEmptySession(request);
  securityHeaders(request, response, () => {
    response.set('Vary', 'Accept, Accept-Language');
    if (!wantsPage(request)) {
      answerJsonError(response, error);
      return;
    }
    const { key, status, details } = error;
    response.status(status).set('Cache-Control', 'no-store');
    if (details.retryAfter !== undefined) response.set('Retry-After', String(details.retryAfter));
    const language = matchLanguage(request.acceptsLanguages(), languageCodes) ?? 'en';
    response.type('html').send(pageOf(key, language));
  });
}

/** Refuses addresses that cannot be decoded, such as `/p/%zz`. Etherpad would answer them with an internal error. */
export const refuseMalformedAddress: RequestHandler = (request, response, next) => {
  try {
    decodeURIComponent(request.path);
    next();
  } catch {
    answerError(request, response, new MyPadsError('BACKEND.ERROR.TYPE.ADDRESS'));
  }
};
