/** kubectl where there is one in the PATH. Where it has to be there (FLEET_BED_NEEDS_KUBECTL), its absence is an error. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export const hasKubectl = (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
  try {
    accessSync(join(folder, 'kubectl'), constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

if (!hasKubectl && process.env['FLEET_BED_NEEDS_KUBECTL']) throw new Error('there is no kubectl in the PATH');
