/** The embedded API server in a process of its own, with TLS: certificates and keys lie in the folder, its store below. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encryptedPrefixes, openApiServer } from '@fleet/apiserver/api-server.ts';
import { listen } from '@fleet/apiserver/http/listener.ts';
import { openStore } from '@fleet/apiserver/store/open-store.ts';

const [, , folder] = process.argv;
if (!folder) throw new Error('usage: secure-api-server.ts FOLDER');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

await using store = await openStore({ directory: join(folder, 'data'), encryptedPrefixes });
await using server = await openApiServer({
  store,
  gitVersion: 'v1.36.3',
  access: { serviceAccountKey: read('service-accounts.key'), rootCa: read('ca.crt'), clientCa: read('ca.crt') },
  onInternalError: console.error,
});
const tls = { cert: read('server.crt'), key: read('server.key'), clientCa: read('ca.crt') };
await using listener = await listen(server.handler, { tls });
console.log(`listening on ${listener.port}`);

await new Promise((resolve) => process.once('SIGTERM', resolve));
