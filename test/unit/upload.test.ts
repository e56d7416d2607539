import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { receive } from '../../api/middleware/upload';

describe('an upload', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mypads-upload-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('ends when nothing arrives any more, though the connection stays open', async () => {
    const request = new PassThrough();
    request.write('PK');
    const error = await receive(request, join(folder, 'a.zip'), 50).catch((reason: unknown) => reason);
    expect(error).to.have.property('key', 'BACKEND.ERROR.IMPORT.NOT_ZIP');
    expect(request.destroyed).to.equal(true);
  });
});
