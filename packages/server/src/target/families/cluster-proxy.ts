/**
 * `/apis/cluster.karmada.io/v1alpha1/clusters/{name}/proxy/{path}`: any request to one member, bytes unchanged (URL-4).
 * With `*` for the name: the merged view of all members, with plain names (URL-5).
 */

import { verbFor } from '@fleet/kube/request-info.ts';
import { readSegment } from '../path.ts';
import { readQuery } from '../query.ts';
import { permissionFor } from '../streams.ts';
import type { UrlFamily, View } from '../target.ts';
import { type MergedFamily, merged } from './resource-paths.ts';
import { memberNamed, untouched } from './untouched.ts';

const pattern = /^\/apis\/cluster\.karmada\.io\/v1alpha1\/clusters\/([^/]+)\/proxy(\/.*)?$/;

export const isClusterProxy = (path: string): boolean => pattern.test(path);

const anyMember = '*';

const plainView: View = { names: 'plain', annotated: 'cluster.karmada.io/name', hidesRefusals: true };

const plainNames: MergedFamily = {
  lists: plainView,
  found: plainView,
  about: 'members',
  permission: (method, ask) => permissionFor('clusters/proxy', verbFor(method), ask),
};

export const clusterProxy: UrlFamily = {
  name: 'cluster-proxy',
  parse(request) {
    const match = pattern.exec(request.path);
    if (!match) return undefined;
    const path = match[2] ?? '/';
    if (readSegment(match[1]!) !== anyMember) return untouched({ ...request, path }, memberNamed(match[1]!));
    const { requestOptions, rest } = readQuery(request.query);
    return merged({ ...request, path, query: rest }, requestOptions, plainNames);
  },
};
