/**
 * The words of the mails: five languages, each as plain text and as HTML from the same sentences. The texts are imported, so they
 * travel in the server's bundle.
 */
import de from '../templates/mail/de.json';
import en from '../templates/mail/en.json';
import es from '../templates/mail/es.json';
import fr from '../templates/mail/fr.json';
import it from '../templates/mail/it.json';
import { limits } from './limits';
import { oneLine } from './mail';

/** What the link of a mail does. */
export type MailAction = 'accountconfirm' | 'passrecover' | 'emailchange';

/**
 * What a mail is about. The link of those that are no `MailAction` only leads to where a new password is asked for: `accountexists` goes to
 * whose address somebody registers with, `emailtaken` to whose address another account wants; `emailnotice` to the old address of an
 * account that wants another, `passwordchanged` to whose password was recovered, `passwordnotice` to whose password was changed in the
 * profile.
 */
export type MailSubject =
  | MailAction
  | 'accountexists'
  | 'emailtaken'
  | 'emailnotice'
  | 'passwordchanged'
  | 'passwordnotice';

type Sentence = 'subject' | 'greeting' | 'reason' | 'button' | 'validity' | 'otherwise';
type Texts = Record<MailSubject, Record<Sentence, string>> & { copy: string };

const texts = { en, fr, de, es, it } satisfies Record<string, Texts>;
export type MailLanguage = keyof typeof texts;

/** The languages that mails are written in. */
export const mailLanguages = Object.keys(texts) as MailLanguage[];

export interface MailFacts {
  login: string;
  /** Of the instance. */
  title: string;
  link: string;
  /** How long the link works. */
  minutes: number;
  /** The other address, of an `emailnotice`. */
  address?: string;
}

export interface MailText {
  subject: string;
  text: string;
  html: string;
  language: MailLanguage;
}

const isMailLanguage = (language: unknown): language is MailLanguage =>
  typeof language === 'string' && Object.hasOwn(texts, language);

/** The first of these languages that mails are written in, else English. */
export function mailLanguage(...wanted: readonly unknown[]): MailLanguage {
  return wanted.find(isMailLanguage) ?? 'en';
}

/** “60 minutes” as “1 hour”, in words of the language. */
function durationText(minutes: number, language: MailLanguage): string {
  const [amount, unit] =
    minutes % 1440 === 0
      ? [minutes / 1440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
const shortened = (text: string): string => [...oneLine(text)].slice(0, limits.text).join('');
const asItIs = (text: string): string => text;

/** One pass: what a person called himself is never read as a placeholder. */
function fill(sentence: string, values: Record<string, string>, shown: (text: string) => string): string {
  return shown(sentence).replace(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => shown(values[name] ?? ''));
}

const style = {
  page: 'margin:0;padding:24px 16px;font-family:system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-size:16px;line-height:1.5',
  column: 'max-width:560px;margin:0 auto',
  title: 'font-size:20px;line-height:1.3;margin:0 0 24px',
  button:
    'display:inline-block;padding:12px 20px;border-radius:6px;background:#1f5fae;color:#ffffff;font-weight:600;text-decoration:none',
  small: 'font-size:14px;word-break:break-word',
};

/** A whole mail. Every value is shown as text: in the HTML nothing of it is markup, in the subject nothing is a line break. */
export function writeMail(about: MailSubject, language: MailLanguage, facts: MailFacts): MailText {
  const words = texts[language][about];
  const { link } = facts;
  const values = {
    login: shortened(facts.login),
    title: shortened(facts.title),
    duration: durationText(facts.minutes, language),
    address: shortened(facts.address ?? ''),
  };
  const plain = (sentence: string): string => fill(sentence, values, asItIs);
  const html = (sentence: string): string => fill(sentence, values, escapeHtml);
  const href = escapeHtml(link);
  const subject = plain(words.subject);
  const text = [words.greeting, words.reason]
    .map(plain)
    .concat(link, [words.validity, words.otherwise].map(plain), `-- \n${values.title}`)
    .join('\n\n');
  const paragraphs = [
    `<h1 style="${escapeHtml(style.title)}">${escapeHtml(values.title)}</h1>`,
    `<p>${html(words.greeting)}</p>`,
    `<p>${html(words.reason)}</p>`,
    `<p><a href="${href}" style="${style.button}">${html(words.button)}</a></p>`,
    `<p>${html(words.validity)}</p>`,
    `<p>${html(words.otherwise)}</p>`,
    `<p style="${style.small}">${html(texts[language].copy)}<br><a href="${href}">${href}</a></p>`,
  ];
  return {
    subject,
    language,
    text: `${text}\n`,
    html: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${escapeHtml(style.page)}">
<div style="${style.column}">
${paragraphs.join('\n')}
</div>
</body>
</html>
`,
  };
}
