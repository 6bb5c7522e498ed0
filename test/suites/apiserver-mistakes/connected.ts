/** Sends over a connection, as `askServer` wants it. */

import type { Connection } from '@fleet/differential/connection.ts';
import type { JsonObject } from './rule-request.ts';
import type { Send } from './served-rules.ts';
import { warningTexts } from './warning-texts.ts';

export const connected =
  (connection: Connection): Send =>
  async (method, url, body, contentType = 'application/json') => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const headers = { 'content-type': contentType, accept: 'application/json', 'user-agent': 'mistakes' };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const answer = await connection.send({ method, path: pathname, query: [...searchParams], headers, ...sent });
    if (answer.failure) throw new Error(`${method} ${url}: ${answer.failure}`);
    const warnings = warningTexts(answer.headers['warning'] ?? '');
    return { status: answer.status, warnings, body: JSON.parse(answer.body.toString()) as JsonObject };
  };
