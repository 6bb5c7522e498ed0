/** The embedded API server within the process, on a data directory of its own. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdmissionName } from '@fleet/apiserver/admission/admission.ts';
import { encryptedPrefixes, openApiServer } from '@fleet/apiserver/api-server.ts';
import { privileged } from '@fleet/apiserver/authn/user.ts';
import { openLocal } from '@fleet/apiserver/store/open-local.ts';
import type { Send } from './served-rules.ts';
import { warningTexts } from './warning-texts.ts';

export async function openEmbedded(admission: readonly AdmissionName[]): Promise<AsyncDisposable & { send: Send }> {
  const directory = mkdtempSync(join(tmpdir(), 'fleet-rules-'));
  const store = openLocal({ directory, encryptedPrefixes });
  const server = await openApiServer({ store, gitVersion: 'v1.36.3', admission, onInternalError: console.error });
  const { signal } = new AbortController();
  return {
    async send(method, url, body, contentType = 'application/json') {
      const { handler } = server;
      const headers = { 'content-type': contentType, accept: 'application/json', 'user-agent': 'rules' };
      const bytes = Buffer.from(body ? JSON.stringify(body) : '');
      const reply = await handler({ method, url, headers, body: bytes, signal, caller: privileged('rules') });
      const chunks = Buffer.isBuffer(reply.body) ? [reply.body] : await Array.fromAsync(reply.body);
      const warnings = [reply.headers['warning'] ?? []].flat().flatMap(warningTexts);
      return { status: reply.status, warnings, body: JSON.parse(Buffer.concat(chunks).toString()) };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
