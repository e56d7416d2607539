/** Answers errors at a pad's address: a page for a browser, JSON for a program. */
import type { Request, RequestHandler, Response } from 'express';
import de from '../locales/de.json';
import en from '../locales/en.json';
import es from '../locales/es.json';
import fr from '../locales/fr.json';
import it from '../locales/it.json';
import { type ErrorKey, MyPadsError } from '../model/errors';
import { answerJsonError } from '../web/errorAnswer';
import { securityHeaders } from '../web/headers';
import { discardEmptySession, wantsPage } from './closed';

const languages = { en, de, es, fr, it };
type Language = keyof typeof languages;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function pageOf(error: ErrorKey, language: Language): string {
  const texts = languages[language];
  const title = escaped(texts['ERROR_PAGE.TITLE']);
  const sentence = escaped(texts[error]);
  return `<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><h1>${title}</h1><p>${sentence}</p></body></html>`;
}

/** A page in the reader's language has only the sentence of the error; JSON has its details too. */
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
    const [first] = Object.keys(languages) as Language[];
    const language = request.acceptsLanguages(Object.keys(languages)) || first;
    response.type('html').send(pageOf(key, language as Language));
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
