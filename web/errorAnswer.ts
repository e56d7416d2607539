/** The JSON answer for an error, in the API and at the address of a pad. */
import type { ServerResponse } from 'node:http';
import type { MyPadsError } from '../model/errors';

/** Answers `{"error": key}` with the details of the error, and `Retry-After` where another try may succeed. */
export function answerJsonError(response: ServerResponse, { key, status, details }: MyPadsError): void {
  const retryAfter = details.retryAfter ?? (key === 'BACKEND.ERROR.SERVER.BUSY' ? 1 : undefined);
  response.statusCode = status;
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify({ ...details, error: key }));
}
