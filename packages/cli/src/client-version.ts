/** The version of this command. */

import manifest from '../package.json' with { type: 'json' };

export const clientVersion = `v${manifest.version}`;
