/** Asks for an export, waits for its file, and reads it. */
import { expect } from 'chai';
import type { ExportAnswer } from '../../api/export/schema';
import type { ExportIndex } from '../../model/exports/indexPage';
import type { TestApp } from './app';
import type { Call } from './caller';
import { until } from './waiting';
import { readZip } from './zips';

export interface ReadExport {
  id: string;
  answer: ExportAnswer;
  files: Map<string, Buffer>;
  index: ExportIndex;
  text(path: string): string;
}

/** Asks for an export. Returns its id. */
export const beginExport = async (call: Call, body: object): Promise<string> =>
  (await call('post', 'exports', body).expect(200)).body.key;

export const untilExportIsGone = ({ ports }: Pick<TestApp, 'ports'>, id: string): Promise<void> =>
  until('the file is gone', async () => {
    const file = await ports.exportFiles.read(`${id}.zip`);
    file?.content.destroy();
    return file === undefined;
  });

export const readExport = async (call: Call, id: string): Promise<ExportAnswer> =>
  (await call('get', `exports/${id}`).expect(200)).body.value;

/** Waits until it is ready or has failed. */
export async function endOfExport(call: Call, id: string): Promise<ExportAnswer> {
  let answer = await readExport(call, id);
  await until('the export ends', async () => {
    answer = await readExport(call, id);
    return answer.state !== 'working';
  });
  return answer;
}

/** The file, also if the process has to make it again. */
export async function download(call: Call, id: string): Promise<Buffer> {
  const ask = () => call('get', `exports/${id}/file`).buffer(true).parse(binary);
  let answer = await ask();
  await until('the file is there', async () => {
    if (answer.status !== 503) return true;
    answer = await ask();
    return answer.status !== 503;
  });
  expect(answer.status).to.equal(200);
  expect(answer.headers['content-type']).to.equal('application/zip');
  expect(answer.headers['content-length']).to.equal(String(answer.body.length));
  return answer.body;
}

type Parser = Parameters<ReturnType<Call>['parse']>[0];
const binary: Parser = (response, done) => {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk as string, 'binary')));
  response.on('end', () => done(null, Buffer.concat(chunks)));
};

function contentOf(id: string, answer: ExportAnswer, archive: Buffer): ReadExport {
  const files = readZip(archive);
  const text = (path: string): string => {
    const content = files.get(path);
    if (content === undefined) throw new Error(`no ${path} in ${[...files.keys()].join(', ')}`);
    return content.toString('utf8');
  };
  return { id, answer, files, index: JSON.parse(text('index.json')), text };
}

/** The file of an export that was asked for. */
export async function readMade(call: Call, key: string): Promise<ReadExport> {
  const answer = await endOfExport(call, key);
  expect(answer.state, JSON.stringify(answer)).to.equal('ready');
  return contentOf(key, answer, await download(call, key));
}

export async function makeExport(call: Call, body: object): Promise<ReadExport> {
  return readMade(call, await beginExport(call, body));
}
