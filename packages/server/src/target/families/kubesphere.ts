/** KubeSphere's dispatch: removes `/clusters/{c}` from the beginning of a path, or after `/api`, `/apis` and `/kapis` (URL-7). */

import { versionedPath } from '../owned-groups.ts';
import { karmada, type UrlFamily } from '../target.ts';
import { memberNamed, untouched } from './untouched.ts';

/** Only the first `/clusters/{c}` counts: the rest is the member's (KS-4). */
const pattern = /^(\/api|\/apis|\/kapis)?\/clusters\/([^/]+)(\/.*)?$/;

/** The name by which KubeSphere's clients address the control plane. */
const host = 'host';

export const kubesphere: UrlFamily = {
  name: 'kubesphere',
  parse(request) {
    const match = pattern.exec(request.path);
    if (!match) return undefined;
    const [, prefix = '', name, tail = ''] = match;
    const cluster = memberNamed(name!);
    const path = `${prefix}${tail}` || '/';
    // The control plane's own objects may have the path in KubeSphere's documentation.
    if (cluster === host) return untouched({ ...request, path: versionedPath(path) }, karmada);
    return untouched({ ...request, path }, cluster);
  },
};
