/** An embedded API server in a process of its own: its store in a data directory, its port on loopback. */

import { type AdmissionName, controlPlaneAdmission } from '@fleet/apiserver/admission/admission.ts';
import { encryptedPrefixes, openApiServer } from '@fleet/apiserver/api-server.ts';
import { privileged } from '@fleet/apiserver/authn/user.ts';
import { listen } from '@fleet/apiserver/http/listener.ts';
import { openStore } from '@fleet/apiserver/store/open-store.ts';

const [, , directory, ...plugins] = process.argv;
if (!directory) throw new Error('usage: api-server.ts DIRECTORY [ADMISSION PLUGIN…]');
const admission = plugins.length > 0 ? (plugins as AdmissionName[]) : controlPlaneAdmission;

await using store = await openStore({ directory, encryptedPrefixes });
await using server = await openApiServer({ store, gitVersion: 'v1.36.3', admission, onInternalError: console.error });
await using listener = await listen(server.handler, { as: privileged('test') });
console.log(`listening on ${listener.port}`);

await new Promise((resolve) => process.once('SIGTERM', resolve));
