/** `/apis/cluster.karmada.io/v1alpha1/clusters/{name}/proxy/{path}`: any request to one member, bytes untouched (URL-4). */

import type { UrlFamily } from '../target.ts';
import { memberNamed, untouched } from './untouched.ts';

const pattern = /^\/apis\/cluster\.karmada\.io\/v1alpha1\/clusters\/([^/]+)\/proxy(\/.*)?$/;

export const clusterProxy: UrlFamily = {
  name: 'cluster-proxy',
  parse(request) {
    const match = pattern.exec(request.path);
    if (!match) return undefined;
    return untouched({ ...request, path: match[2] ?? '/' }, memberNamed(match[1]!));
  },
};
