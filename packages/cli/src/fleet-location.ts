/** Where the fleet is found, and clients for its places. */

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Endpoint, HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { HintedError } from './errors.ts';

export interface Location {
  path: string;
  /** What named the file. */
  by: string;
}

interface Surroundings {
  env: Record<string, string | undefined>;
  exists: (path: string) => boolean;
}

const defaultPath = join('fleet-data', 'admin.kubeconfig');

/** The first that is set wins, even if its file is missing: a typing error must not lead to another fleet. */
export function locateFleet(
  flag: string | undefined,
  { env, exists }: Surroundings = { env: process.env, exists: existsSync },
): Location {
  const named: [string, string | undefined][] = [
    ['--fleet-kubeconfig', flag],
    ['FLEET_KUBECONFIG', env.FLEET_KUBECONFIG],
    // kubectl takes a list of files here; the fleet is in the first one that exists.
    ['KUBECONFIG', firstOf(env.KUBECONFIG, exists)],
  ];
  for (const [by, path] of named) {
    if (!path) continue;
    if (exists(path)) return { path, by };
    throw new HintedError(`${by} names ${path}, which does not exist`, 'Name the kubeconfig of the fleet');
  }
  if (exists(defaultPath)) return { path: defaultPath, by: 'default' };
  throw new HintedError(
    'no fleet found',
    `Name its kubeconfig with --fleet-kubeconfig, FLEET_KUBECONFIG or KUBECONFIG, or run where "fleet serve" left ./${defaultPath}`,
  );
}

const firstOf = (list: string | undefined, exists: (path: string) => boolean): string | undefined => {
  const paths = list?.split(delimiter).filter(Boolean) ?? [];
  return paths.find(exists) ?? paths[0];
};

export class Fleet implements AsyncDisposable {
  readonly location: Location;
  /** The product's root, whatever view the kubeconfig was made for. */
  readonly root: Endpoint;
  private readonly upstreams: HttpsUpstream[] = [];

  private constructor(location: Location, root: Endpoint) {
    this.location = location;
    this.root = root;
  }

  static async find(flag: string | undefined): Promise<Fleet> {
    const location = locateFleet(flag);
    const endpoint = await loadEndpoint(location.path);
    return new Fleet(location, { ...endpoint, url: rootOf(endpoint.url) });
  }

  /** A client for the whole fleet, or for one place of it: a member or `karmada`. */
  client(place?: string): KubeClient {
    const url = place ? placeUrl(this.root.url, place) : this.root.url;
    const upstream = new HttpsUpstream({ ...this.root, url });
    this.upstreams.push(upstream);
    return new KubeClient(upstream, 'fleet-cli');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream[Symbol.asyncDispose]()));
  }
}

export const placeUrl = (root: string, place: string): string => `${root}/clusterspaces/${place}`;

/** A kubeconfig made by `fleet kubeconfig --cluster` finds the fleet too. */
export const rootOf = (url: string): string => url.replace(/\/+$/, '').replace(/\/clusterspaces\/[^/]+$/, '');
