/** A mailer for test mail servers; `useMailer` closes mailers and servers after each test. */
import {
  createMailer,
  type Mailer,
  type MailerContext,
  type MailMessage,
  type MailSetting,
} from '../../model/mail/mailer';
import { createReadableLog } from './logLines';
import { type SmtpServerOptions, startSmtpServer, type TestSmtpServer } from './smtpServer';

type Settings = Partial<Record<MailSetting, unknown>>;

export const unavailable = 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE';
export const notConfigured = 'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED';

/** Short time limits, for servers that never answer. */
export const soon = { times: { start: 400, step: 500, total: 1_500 } };

export const testMessage: MailMessage = {
  to: 'ada@example.org',
  subject: 'A subject',
  text: 'The plain text with a secret-link\n',
  html: '<p>The HTML with a secret-link</p>\n',
  language: 'en',
};

export interface MailerInUse {
  mailer: Mailer;
  settings: Settings;
  /** Everything that was logged, as one text. */
  log: () => string;
}

export function useMailer() {
  const endings: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });
  return {
    /** Closes this after the test. */
    closeLater: (server: { close(): unknown }) => void endings.push(() => server.close()),
    async start(options: SmtpServerOptions = {}): Promise<TestSmtpServer> {
      const server = await startSmtpServer(options);
      endings.push(() => server.close());
      return server;
    },
    /** A mailer for a server on this port, unencrypted unless `more` says otherwise. */
    mailerFor(port: unknown, more: Settings = {}, context: Partial<MailerContext> = {}): MailerInUse {
      const settings: Settings = {
        SMTPHost: '127.0.0.1',
        SMTPPort: port,
        SMTPTLS: false,
        SMTPEmailFrom: 'pads@example.org',
        title: 'Pads of the school',
        ...more,
      };
      const { log, lines } = createReadableLog();
      const mailer = createMailer({
        settings: (name) => settings[name],
        log,
        times: { start: 3_000, step: 3_000, total: 6_000 },
        ...context,
      });
      endings.push(() => mailer.close());
      const text = () => lines.map(({ message, facts }) => `${message} ${JSON.stringify(facts)}`).join('\n');
      return { mailer, settings, log: text };
    },
  };
}
