import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type LanguageCode, languages, languageCodes as mailLanguages } from '../../model/languages';
import {
  type MailFacts,
  type MailSubject,
  type MailText,
  mailLanguage,
  writeMail,
} from '../../model/mail/texts';
import { checkEach } from '../support/cases';

const link = 'https://pads.example.org/mypads/index.html?/passrecover/0123456789abcdef';
const home = 'https://pads.example.org/mypads/';
const facts = {
  login: 'adalovelace',
  title: 'Pads of the school',
  link,
  minutes: 60,
  address: 'new@example.org',
  person: 'Grace',
  thing: 'Minutes',
  home,
  time: Date.UTC(2026, 0, 9, 14, 5),
  place: '203.0.113.7',
  about: {
    name: 'Ada',
    folder: 'Board',
    isPad: false,
    role: 'users' as const,
    sentence: 'See you on Monday.',
    refusal: 'https://pads.example.org/mypads/index.html?/noinvitations/fedcba9876543210',
  },
};
const aboutFolders: MailSubject[] = ['invitation', 'invitationreminder', 'added'];
const withTime: MailSubject[] = ['accountconfirm', 'passrecover', 'emailchange'];
const actions: MailSubject[] = [
  ...withTime,
  'accountexists',
  'emailtaken',
  'emailnotice',
  'passwordchanged',
  'passwordnotice',
  'factoradded',
  'factorremoved',
  'accountmade',
  'accessrequest',
  'accessgiven',
  'exportready',
  'exported',
  'test',
  ...aboutFolders,
];

/** What a person reads of an HTML mail. */
const readable = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

interface Mail {
  action: MailSubject;
  language: LanguageCode;
  /** What the mail was written with. */
  facts: MailFacts;
  mail: MailText;
}

const aboutPad = { ...facts, about: { ...facts.about, isPad: true } };

/** Each mail in each language. */
const mails = mailLanguages.flatMap((language) =>
  [
    ...actions.map((action) => ({ action, with: facts, name: action as string })),
    ...aboutFolders.map((action) => ({ action, with: aboutPad, name: `${action} of a pad` })),
  ].map(({ action, name, with: given }): [string, Mail] => [
    `${name} in ${language}`,
    { action, language, facts: given, mail: writeMail(action, language, given) },
  ]),
);

describe('the texts of the mails', () => {
  describe('each mail in each language', () => {
    it('names title, link and how long it works as plain text', () =>
      checkEach(mails, ({ action, language, mail }) => {
        const unit = { style: 'unit', unit: 'hour', unitDisplay: 'long' } as const;
        const hour = new Intl.NumberFormat(language, unit).format(1).replace(/\u00a0/g, ' ');
        for (const part of ['Pads of the school', link]) expect(mail.text).to.include(part);
        if (withTime.includes(action)) expect(mail.text.replace(/\u00a0/g, ' ')).to.include(hour);
        if (action === 'emailnotice') expect(mail.text).to.include('new@example.org');
      }));

    it('names the login only where the person who reads it has chosen or confirmed it', () =>
      checkEach(mails, ({ action, mail }) => {
        const named = ['accountmade', 'passwordchanged'].includes(action);
        const text = `${mail.subject} ${mail.text} ${mail.html}`;
        expect(text.includes('adalovelace'), action).to.equal(named);
      }));

    it('has the link on a line of its own, so that every mail program makes it clickable', () =>
      checkEach(mails, ({ mail }) => {
        expect(mail.text.split('\n')).to.include(link);
      }));

    it('says the same in HTML', () =>
      checkEach(mails, ({ language, mail }) => {
        const read = readable(mail.html).replace(/\s+/g, ' ');
        const sentences = mail.text.split('\n\n').filter((part) => part !== link && !part.startsWith('--'));
        for (const sentence of sentences) expect(read).to.include(sentence.replace(/\s+/g, ' ').trim());
        expect(mail.html).to.include(`href="${link}"`);
        const { direction } = languages[language];
        expect(mail.html).to.include(`<html lang="${language}" dir="${direction}">`);
        // Many mail programs show only the content of the body.
        expect(mail.html).to.include(`<div lang="${language}" dir="${direction}"`);
      }));

    it('says when and from where it happened, and leads to the server', () =>
      checkEach(mails, ({ action, language, facts, mail }) => {
        const date = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'long' });
        const when = date.format(facts.time);
        for (const part of [when, 'UTC', '203.0.113.7']) expect(mail.text).to.include(part);
        if (language === 'en') expect(mail.text).to.include('9 January 2026 at 14:05 UTC');
        expect(mail.text.split('\n')).to.include(home);
        expect(mail.html).to.include(`href="${home}"`);
        const elsewhere = writeMail(action, language, { ...facts, place: undefined });
        expect(elsewhere.text).to.include(when);
        expect(elsewhere.text).not.to.include('203.0.113.7');
      }));

    it('names the host, so that people see where the mail claims to come from', () =>
      checkEach(mails, ({ mail }) => {
        expect(mail.text.split(home)[0]?.replace(/https:\S+/g, '')).to.include('pads.example.org');
      }));

    it('leaves no placeholder and nothing undefined', () =>
      checkEach(mails, ({ mail }) => {
        for (const text of [mail.subject, mail.text, mail.html]) {
          expect(text).not.to.match(/\{\{|\}\}|\b(undefined|null|NaN)\b/);
        }
      }));

    it('has a subject of one short line that begins with the matter and names the server', () =>
      checkEach(mails, ({ mail }) => {
        // What isolates the direction of a value is not seen.
        const seen = mail.subject.replace(/[\u2068\u2069]/g, '');
        expect(seen).to.match(/^(?!\p{Ll})[\p{L}\p{N}「].* – Pads of the school$/u);
        expect(mail.subject.length).to.be.within(23, 80);
      }));

    it('has long names and addresses on several lines, so that it is not wider than a phone', () =>
      checkEach(mails, ({ mail }) => {
        expect(mail.html).to.match(/<div [^>]*style="[^"]*;word-break:break-word"/);
      }));

    it('keeps a bracket at the end of its title in its place, whatever the direction of the mail', () =>
      checkEach(mails, ({ action, language, facts }) => {
        const { html } = writeMail(action, language, { ...facts, title: 'Pads (2026)' });
        expect(html).to.match(/<h1 [^>]*>\u2068Pads \(2026\)\u2069<\/h1>/);
        if (languages[language].direction === 'ltr') return;
        const { subject } = writeMail(action, language, { ...facts, title: 'TITLE', thing: 'THING' });
        expect(subject.replace(/\u2068[^\u2068\u2069]*\u2069/g, ''), subject).to.not.match(/TITLE|THING/);
      }));

    it('loads nothing from elsewhere', () =>
      checkEach(mails, ({ mail }) => {
        expect(mail.html).not.to.match(/<(img|script|link|iframe)|src=|@import|url\(/i);
      }));
  });

  it('are written in their language, not in English', () =>
    checkEach(
      mails.filter(([, { language }]) => language !== 'en'),
      ({ action, facts, mail }) => {
        const english = writeMail(action, 'en', facts);
        expect(mail.subject).not.to.equal(english.subject);
        const shared = mail.text.split('\n\n').filter((part) => english.text.split('\n\n').includes(part));
        expect(shared).to.deep.equal([link, `-- \nPads of the school\n${home}\n`]);
      },
    ));

  it('give the time in the time zone of the server', () => {
    const { TZ } = process.env;
    process.env.TZ = 'Europe/Paris';
    try {
      expect(writeMail('test', 'en', facts).text).to.include('9 January 2026 at 15:05 CET');
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it('say how to get there without the link, where the app has a way', () => {
    const ways: [MailSubject, string][] = [
      ['passwordnotice', 'Forgot your password?'],
      ['emailnotice', 'Forgot your password?'],
      ['accessrequest', 'Requests for access'],
      ['exportready', 'My exports'],
    ];
    for (const [subject, choice] of ways) {
      const sentence = `If you prefer not to use the link, open pads.example.org yourself and choose “${choice}”.`;
      expect(writeMail(subject, 'en', facts).text, subject).to.include(sentence);
    }
    expect(writeMail('passrecover', 'en', facts).text).not.to.include('prefer not to use the link');
  });

  it('have the same keys in every language', () => {
    const shape = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
        : [...String(value).matchAll(/\{\{\w+\}\}/g)].map(([name]) => name).sort();
    const read = (language: string): unknown =>
      JSON.parse(readFileSync(new URL(`../../templates/mail/${language}.json`, import.meta.url), 'utf8'));
    for (const language of mailLanguages) expect(shape(read(language))).to.deep.equal(shape(read('en')));
  });

  it('tell the duration in the unit that a person would use', () => {
    const durations: [number, string][] = [
      [1, '1 minute'],
      [59, '59 minutes'],
      [90, '90 minutes'],
      [120, '2 hours'],
      [1440, '1 day'],
      [2880, '2 days'],
    ];
    for (const [minutes, words] of durations) {
      expect(writeMail('passrecover', 'en', { ...facts, minutes }).text).to.include(`valid for ${words}.`);
    }
  });

  describe('with a malicious login and title', () => {
    const nasty = '<img src=x onerror="alert(1)">&\'{{title}}$&';

    it('show them as text and run nothing', () =>
      checkEach(mails, ({ action, language, facts }) => {
        const mail = writeMail(action, language, { ...facts, login: nasty, title: nasty });
        const expected = writeMail(action, language, { ...facts, login: 'LOGIN', title: 'TITLE' });
        const escaped = '&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;{{title}}$&amp;';
        const put = (text: string, value: string): string => text.replace(/LOGIN|TITLE/g, () => value);
        expect(mail.html).to.equal(put(expected.html, escaped));
        expect(mail.text).to.equal(put(expected.text, nasty));
        expect(mail.subject).to.equal(put(expected.subject, nasty));
      }));

    it('keep a link with special characters inside its attribute', () => {
      const odd = 'https://pads.example.org/a"b<c>&d=\'/mypads/index.html?/passrecover/00';
      const { html } = writeMail('passrecover', 'en', { ...facts, link: odd });
      expect(html).to.include('href="https://pads.example.org/a&quot;b&lt;c&gt;&amp;d=&#39;/mypads');
      expect(html).not.to.include('a"b');
    });

    it('keep the subject on one line and in one direction', () => {
      const login = 'a\r\nBcc: eve@example.org\u2028b\u202ec';
      const mail = writeMail('accountmade', 'en', { ...facts, login, title: login });
      expect(mail.subject).not.to.match(/[\r\n\u2028\u202e]/);
      expect(mail.text).to.include('“a Bcc: eve@example.org b c”');
    });

    it('are cut when they are very long, between two characters', () => {
      const mail = writeMail('accountmade', 'en', { ...facts, login: '🙂'.repeat(300) });
      expect(mail.text).to.include(`“${'🙂'.repeat(100)}”`);
    });
  });

  it("are written in the person's language, else in the default language, else in English", () => {
    const cases: Record<string, [unknown[], string]> = {
      'the language of the person': [['fr', 'de'], 'fr'],
      'the person has none': [['', 'de'], 'de'],
      'the person has one that is not there': [['eo', 'it'], 'it'],
      'neither is there': [['eo', 'xx'], 'en'],
      'names that are no language': [['constructor', '__proto__'], 'en'],
      'values of the wrong type': [[undefined, ['fr']], 'en'],
    };
    return checkEach(cases, ([wanted, language]) => expect(mailLanguage(...wanted)).to.equal(language));
  });
});
