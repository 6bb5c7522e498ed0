/** `/apis/cluster.karmada.io/v1alpha1/clusters/{name}/proxy/{path}`: any request to one member, bytes untouched (URL-4). */

import type { UrlFamily } from '../target.ts';
import { memberNamed, untouched } from './untouched.ts';

const pattern = /^\/apis\/cluster\.karmada\.io\/v1alpha1\/clusters\/([^/]+)\/proxy(\/.*)?$/;

export const clusterProxy: UrlFamily = {
  name: 'cluster-proxy',
  parse({ method, path, query }) {
    const match = pattern.exec(path);
    if (!match) return undefined;
    return untouched({ method, path: match[2] ?? '/', query }, memberNamed(match[1]!));
  },
};
