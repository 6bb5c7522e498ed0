/** Plain Kubernetes URLs: every cluster's objects, named `xx.clusterspace.yy` (URL-1). */

import { isKapisPath } from '../kapis.ts';
import { versionedPath } from '../owned-groups.ts';
import { readQuery } from '../query.ts';
import { karmada, type UrlFamily } from '../target.ts';
import { merged, onePlace, suffixedFamily } from './resource-paths.ts';

export const vanilla: UrlFamily = {
  name: 'vanilla',
  parse({ method, path, query }, { templates }) {
    const { requestOptions, rest } = readQuery(query);
    // Without a cluster, the path is the host cluster's (KS-3).
    if (isKapisPath(path)) return onePlace({ method, path, query: rest }, requestOptions, karmada);
    return merged({ method, path: versionedPath(path), query: rest }, requestOptions, suffixedFamily(templates));
  },
};
