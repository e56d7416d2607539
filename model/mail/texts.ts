/** Texts of the mails in each language, as plain text and as HTML from the same sentences. */

import { dateFormat } from '../dateFormat';
import { escapeHtml } from '../html';
import { languageFile } from '../languageFile';
import { type LanguageCode, languageCodes, languages, matchLanguage } from '../languages';
import { limits } from '../limits';
import { pageText } from '../pageText';
import { oneLine } from './mailer';

/** What the link of a mail does. */
export type MailAction = 'accountconfirm' | 'passrecover' | 'emailchange';

/**
 * Subjects of mails. `accountexists`, `emailtaken`: another account wants the address. `emailnotice`: to the old one.
 * `passwordchanged`: after a recovery. `passwordnotice`, `factor…`: after a change. `accountmade`: first password.
 * `accessrequest`: to managers, `accessgiven`: to who has asked. `exported`: to whose data an administrator has taken.
 */
export type MailSubject =
  | MailAction
  | 'accountexists'
  | 'emailtaken'
  | 'emailnotice'
  | 'passwordchanged'
  | 'passwordnotice'
  | 'factoradded'
  | 'factorremoved'
  | 'accountmade'
  | 'accessrequest'
  | 'accessgiven'
  | 'exportready'
  | 'exported'
  | 'test'
  | FolderSubject;

/** `invitation…`: to an address without an account. `added`: to somebody who got a folder or a pad from others. */
type FolderSubject = 'invitation' | 'invitationreminder' | 'added';

type Sentence = 'subject' | 'reason' | 'button' | 'validity' | 'otherwise';
/** `pad`: the sentences that differ when a single pad is shared. */
type Texts = Record<MailSubject, Record<Sentence, string> & { pad?: Partial<Record<Sentence, string>> }> &
  Record<'greeting' | 'copy' | 'way' | 'when' | 'where' | 'home' | 'says' | 'refuse', string> & {
    roles: Record<FolderFacts['role'], string>;
    padRoles: Partial<Record<FolderFacts['role'], string>>;
  };

/** A test compares the texts of each language with the English ones. */
const textsOf = (language: LanguageCode): Texts => languageFile(language).mail as Texts;

/** In mails about a folder, or a pad that is shared alone. Name, folder and sentence are texts of people. */
export interface FolderFacts {
  /** Who invites. */
  name: string;
  /** Name of the folder or the pad. */
  folder: string;
  isPad: boolean;
  /** The list of the folder that the person gets on. */
  role: 'admins' | 'users' | 'readers';
  /** What they wrote to the person; `''`: nothing. */
  sentence: string;
  /** A link that refuses all further invitations; only in mails to an address without an account. */
  refusal?: string;
}

export interface MailFacts {
  /**
   * Only in mails about accounts that an administrator has made, and after a link of a mail was used: otherwise people
   * could register an advertisement as their login, and this server would mail it to any address.
   */
  login: string;
  /** Title of this site. */
  title: string;
  link: string;
  /** How many minutes the link works. */
  minutes: number;
  /** The requested address (`emailnotice` only). */
  address?: string;
  /** Who asks for access, and to what: name of a folder or a pad. */
  person?: string;
  thing?: string;
  /** What the person says, in a paragraph of its own; `''`: nothing. */
  sentence?: string;
  /** Address of this site. */
  home: string;
  /** Time of the event, in milliseconds since 1970. */
  time: number;
  /** IP address of the caller; left out when the mail goes to somebody else. */
  place?: string;
  about?: FolderFacts;
}

export interface MailText {
  subject: string;
  text: string;
  html: string;
  language: LanguageCode;
}

/** The first of these languages that has texts, else English. */
export function mailLanguage(...wanted: readonly unknown[]): LanguageCode {
  const tags = wanted.filter((tag) => typeof tag === 'string');
  return matchLanguage(tags, languageCodes) ?? 'en';
}

/** Formats minutes in words, for example 60 as “1 hour”. */
function durationText(minutes: number, language: LanguageCode): string {
  const [amount, unit] =
    minutes % 1440 === 0
      ? [minutes / 1440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}

const shortened = (text: string): string => [...oneLine(text)].slice(0, limits.text).join('');
/** A text of people in a sentence of another direction. Mail programs leave out elements and attributes for this. */
const isolated = (text: string): string => `\u2068${text}\u2069`;
const asItIs = (text: string): string => text;

/** Replaces placeholders in one pass, so that a name that contains a placeholder is not replaced again. */
function fill(sentence: string, values: Record<string, string>, shown: (text: string) => string): string {
  return shown(sentence).replace(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => shown(values[name] ?? ''));
}

const style = {
  page: 'margin:0;padding:24px 16px;font-family:system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-size:16px;line-height:1.5',
  column: 'max-width:560px;margin:0 auto;word-break:break-word',
  title: 'font-size:20px;line-height:1.3;margin:0 0 24px',
  button:
    'display:inline-block;padding:12px 20px;border-radius:6px;background:#1f5fae;color:#ffffff;font-weight:600;text-decoration:none',
  small: 'font-size:14px',
};

/** Formats a time in the time zone of the server, with its name, because that of the reader is not known. */
const timeText = (time: number, language: string): string =>
  dateFormat(language, {
    dateStyle: undefined,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })(time);

/** What people choose in the app to get to the same place as by the link, without following a link of a mail. */
const choices: Partial<Record<MailSubject, string>> = {
  accountexists: 'login.forgotten',
  emailtaken: 'login.forgotten',
  emailnotice: 'login.forgotten',
  passwordchanged: 'login.forgotten',
  passwordnotice: 'login.forgotten',
  factoradded: 'login.forgotten',
  factorremoved: 'login.forgotten',
  accessrequest: 'requests.title',
  exportready: 'exports.title',
};

function valuesOf(mail: MailSubject, facts: MailFacts, language: LanguageCode): Record<string, string> {
  const { about } = facts;
  return {
    login: shortened(facts.login),
    title: shortened(facts.title),
    duration: durationText(facts.minutes, language),
    address: shortened(facts.address ?? ''),
    person: shortened(facts.person ?? ''),
    thing: shortened(facts.thing ?? ''),
    choice: pageText(language, choices[mail] ?? ''),
    time: timeText(facts.time, language),
    place: shortened(facts.place ?? ''),
    host: new URL(facts.home).host,
    name: shortened(about?.name ?? facts.person ?? ''),
    folder: shortened(about?.folder ?? ''),
    sentence: [...oneLine(about?.sentence ?? facts.sentence ?? '')].slice(0, limits.sentence).join(''),
    role: about ? (textsOf(language)[about.isPad ? 'padRoles' : 'roles'][about.role] ?? '') : '',
  };
}

/** A paragraph of both forms of a mail: a sentence, and an address below it. */
interface Paragraph {
  sentence: string;
  link?: string | undefined;
  style?: string;
}

/** Writes a mail. All values are escaped in the HTML, and the subject has no line breaks. */
export function writeMail(about: MailSubject, language: LanguageCode, facts: MailFacts): MailText {
  const { pad, ...ofAll } = textsOf(language)[about];
  const words = facts.about?.isPad ? { ...ofAll, ...pad } : ofAll;
  const { link } = facts;
  const values = valuesOf(about, facts, language);
  const { greeting, copy, home, way, when, where, says, refuse } = textsOf(language);
  const { direction } = languages[language];
  // Not all translations have isolated each value.
  const sentenceOf = (text: string): string =>
    direction === 'rtl'
      ? text.replace(/\u2068?(\{\{\w+\}\})\u2069?/g, (_, value: string) => isolated(value))
      : text;
  const plain = (sentence: string): string => fill(sentenceOf(sentence), values, asItIs);
  const html = (sentence: string): string => fill(sentenceOf(sentence), values, escapeHtml);
  const href = escapeHtml(link);
  const inLanguage = `lang="${language}" dir="${direction}"`;
  const subject = plain(words.subject);
  const opening: Paragraph[] = [
    { sentence: greeting },
    { sentence: words.reason },
    ...(values.sentence === '' ? [] : [{ sentence: says }]),
  ];
  const closing: Paragraph[] = [
    { sentence: words.validity },
    ...(choices[about] === undefined ? [] : [{ sentence: way }]),
    { sentence: words.otherwise },
    ...(facts.about?.refusal === undefined ? [] : [{ sentence: refuse, link: facts.about.refusal }]),
    { sentence: facts.place === undefined ? when : where, style: style.small },
  ];
  const inText = (one: Paragraph): string => plain(one.sentence) + (one.link ? `\n${one.link}` : '');
  const inHtml = (one: Paragraph): string => {
    const address = one.link && `<br><a href="${escapeHtml(one.link)}">${escapeHtml(one.link)}</a>`;
    return `<p${one.style ? ` style="${one.style}"` : ''}>${html(one.sentence)}${address ?? ''}</p>`;
  };
  const text = [...opening.map(inText), link, ...closing.map(inText), `-- \n${values.title}\n${facts.home}`];
  const paragraphs = [
    `<h1 style="${escapeHtml(style.title)}">${isolated(escapeHtml(values.title ?? ''))}</h1>`,
    ...opening.map(inHtml),
    `<p><a href="${href}" style="${style.button}">${html(words.button)}</a></p>`,
    ...closing.map(inHtml),
    `<p style="${style.small}">${html(copy)}<br><a href="${href}">${href}</a></p>`,
    `<p style="${style.small}"><a href="${escapeHtml(facts.home)}">${html(home)}</a></p>`,
  ];
  return {
    subject,
    language,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>
<html ${inLanguage}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${escapeHtml(style.page)}">
<div ${inLanguage} style="${style.column}">
${paragraphs.join('\n')}
</div>
</body>
</html>
`,
  };
}
