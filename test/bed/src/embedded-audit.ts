/** An audit log of the control plane in a product, as far as a witness reads one: written where that product calls it. */

import { fileURLToPath } from 'node:url';

const loader = fileURLToPath(new URL('embedded-audit-loader.ts', import.meta.url));

/** What makes a Node process write it. */
export const asAudited = (path: string) => ({
  nodeFlags: ['--import', loader],
  env: { FLEET_BED_EMBEDDED_AUDIT: path },
});
