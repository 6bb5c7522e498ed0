/** Plain Kubernetes URLs: every cluster's objects, named `xx.clusterspace.yy` (URL-1). */

import { readQuery } from '../query.ts';
import type { UrlFamily } from '../target.ts';
import { merged, suffixedNames } from './resource-paths.ts';

export const vanilla: UrlFamily = {
  name: 'vanilla',
  parse({ method, path, query }) {
    const { wishes, rest } = readQuery(query);
    return merged({ method, path, query: rest }, wishes, suffixedNames);
  },
};
