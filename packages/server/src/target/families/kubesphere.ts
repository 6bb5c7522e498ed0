/** KubeSphere's dispatch: `/clusters/{c}` in front of a path, or behind `/api`, `/apis` and `/kapis`, is taken out (URL-7). */

import { versionedPath } from '../owned-groups.ts';
import { karmada, type UrlFamily } from '../target.ts';
import { memberNamed, untouched } from './untouched.ts';

/** Only the first `/clusters/{c}` counts; whatever follows is the member's (KS-4). */
const pattern = /^(\/api|\/apis|\/kapis)?\/clusters\/([^/]+)(\/.*)?$/;

/** How a KubeSphere client asks for the control plane alone. */
const host = 'host';

export const kubesphere: UrlFamily = {
  name: 'kubesphere',
  parse(request) {
    const match = pattern.exec(request.path);
    if (!match) return undefined;
    const [, prefix = '', name, tail = ''] = match;
    const cluster = memberNamed(name!);
    const path = `${prefix}${tail}` || '/';
    // The control plane's own objects may be asked for as the document writes them.
    if (cluster === host) return untouched({ ...request, path: versionedPath(path) }, karmada);
    return untouched({ ...request, path }, cluster);
  },
};
