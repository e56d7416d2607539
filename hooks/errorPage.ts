/** Answers errors at a pad's address: a page for a browser, JSON for a program. */
import type { Request, RequestHandler, Response } from 'express';
import ar from '../locales/ar.json';
import cs from '../locales/cs.json';
import de from '../locales/de.json';
import en from '../locales/en.json';
import es from '../locales/es.json';
import fa from '../locales/fa.json';
import fr from '../locales/fr.json';
import it from '../locales/it.json';
import ja from '../locales/ja.json';
import nl from '../locales/nl.json';
import pl from '../locales/pl.json';
import ptBR from '../locales/pt-BR.json';
import ru from '../locales/ru.json';
import sv from '../locales/sv.json';
import zhHans from '../locales/zh-Hans.json';
import { type ErrorKey, MyPadsError } from '../model/errors';
import { type LanguageCode, languageCodes, languages, matchLanguage } from '../model/languages';
import { answerJsonError } from '../web/errorAnswer';
import { securityHeaders } from '../web/headers';
import { discardEmptySession, wantsPage } from './closed';

/** bin/buildServer.ts keeps only the texts of errors. */
const errorTexts = {
  ar,
  cs,
  de,
  en,
  es,
  fa,
  fr,
  it,
  ja,
  nl,
  pl,
  'pt-BR': ptBR,
  ru,
  sv,
  'zh-Hans': zhHans,
} satisfies Record<LanguageCode, Record<ErrorKey | 'ERROR_PAGE.TITLE', string>>;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function pageOf(error: ErrorKey, language: LanguageCode): string {
  const texts = errorTexts[language];
  const title = escaped(texts['ERROR_PAGE.TITLE']);
  const sentence = escaped(texts[error]);
  return `<!DOCTYPE html>
<html lang="${language}" dir="${languages[language].direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
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
