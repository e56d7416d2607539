/** Exports: asking for one, following it, downloading its file, removing it. All calls need a session. */

import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { endOf, type OwnExport } from '../../model/exports/exports';
import { safeName } from '../../model/exports/fileNames';
import type { Handlers } from '../calls';
import { ownerOfExports } from '../exportedRecords';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import type { ExportAnswer } from './schema';

/** The host in the address of this server. */
const hostOf = ({ model }: Services, { connected }: Request): string => {
  const rootUrl = model.configuration.get('rootUrl');
  return (URL.canParse(rootUrl) ? new URL(rootUrl).host : connected.host) ?? '';
};

const presenting =
  ({ model }: Services) =>
  async (record: OwnExport): Promise<ExportAnswer> => {
    const { subject, progress, state } = record;
    const account = subject.kind === 'account' ? await model.users.get(subject.id) : undefined;
    const onlyPad = subject.kind === 'pads' && subject.pads.length === 1 ? subject.pads[0] : undefined;
    const name = subject.kind === 'group' ? subject.name : (account?.login ?? onlyPad?.name ?? null);
    return {
      _id: record._id,
      about: subject.kind,
      name,
      created: record.created,
      state,
      ...(progress && { done: progress.done, total: progress.total }),
      ...(record.size !== undefined && { size: record.size }),
      ...(record.pads !== undefined && { pads: record.pads }),
      ...(record.leftOut !== undefined && { leftOut: record.leftOut }),
      ...(state === 'ready' && { until: endOf(record) }),
      ...(record.error !== undefined && { error: record.error }),
    };
  };

/** `filename*` has the name in all letters (RFC 6266); older programs take `filename`. */
function sendHeaders(response: Response, size: number, name: string): void {
  const file = `${safeName(name, 'export')}.zip`;
  const encoded = encodeURIComponent(file).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  response.setHeader('Content-Type', 'application/zip');
  response.setHeader('Content-Length', size);
  response.setHeader('Content-Disposition', `attachment; filename="export.zip"; filename*=UTF-8''${encoded}`);
}

export const exportHandlers = (services: Services) => {
  const { exports, exportMail, events, log } = services.model;
  const present = presenting(services);

  return {
    async 'POST /exports'({ body: { formats, chat }, caller, subject }, request) {
      const owner = ownerOfExports(request);
      await services.limits.consume('exports', owner.name);
      const { user, session } = caller;
      const id = await exports.ask(owner, {
        subject,
        formats,
        chat,
        lang: user?.lang ?? '',
        server: hostOf(services, request),
        unlocked: session?.unlocked ?? {},
      });
      log.info('export begun', { of: subject.kind, ...callerFacts(request) });
      if (owner.kind === 'admin' && subject.kind === 'account') {
        events.emit({ about: 'user', what: 'exported', id: subject.id, access: false });
        await exportMail.exported(id, subject.id);
      }
      return { success: true, key: id, value: await present(await exports.find(owner, id)) };
    },

    async 'GET /exports'(_input, request) {
      const found = await exports.list(ownerOfExports(request));
      return { value: await Promise.all(found.map(present)) };
    },

    async 'GET /exports/{id}'({ owner, found }) {
      if (found.state === 'ready' && !found.seen) await exports.seen(owner, found._id);
      return { value: await present(found) };
    },

    async 'GET /exports/{id}/file'({ owner, found }, request, response): Promise<Readable> {
      const { name } = await present(found);
      if (found.state === 'ready' && !found.seen) await exports.seen(owner, found._id);
      const { size, content } = await exports.file(owner, found._id);
      log.info('export downloaded', { of: found.subject.kind, ...callerFacts(request) });
      sendHeaders(response, size, name ?? 'export');
      return content;
    },

    async 'DELETE /exports/{id}'({ owner, found }, request) {
      await exports.remove(owner, found._id);
      log.info('export removed', { of: found.subject.kind, ...callerFacts(request) });
      return { success: true, key: found._id };
    },
  } satisfies Partial<Handlers>;
};
