/** Finds the kubeconfig of the fleet, and creates clients for its clusterspaces. */

import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Endpoint } from '@fleet/client/https-upstream.ts';
import { isStatus, KubeClient } from '@fleet/client/kube-client.ts';
import { type LoadedContext, loadContext } from '@fleet/client/kubeconfig.ts';
import { withoutEnding } from '@fleet/kube/trim-end.ts';
import { HintedError } from './errors.ts';
import { PatientUpstream } from './patient-upstream.ts';

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
  { env, exists }: Surroundings = { env: process.env, exists: isThere },
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

/** Also a file that may not be read: reading it reports why. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

const firstOf = (list: string | undefined, exists: (path: string) => boolean): string | undefined => {
  const paths = list?.split(delimiter).filter(Boolean) ?? [];
  return paths.find(exists) ?? paths[0];
};

export interface FleetVersion {
  gitVersion: string;
}

export class Fleet implements AsyncDisposable {
  readonly location: Location;
  /** The product's root, whatever view the kubeconfig was made for. */
  readonly root: Endpoint;
  /** Of requests that name none. */
  readonly namespace: string;
  private readonly endpoint: Endpoint;
  private readonly upstreams: PatientUpstream[] = [];
  private answered: FleetVersion | undefined;

  private constructor(location: Location, { endpoint, namespace }: LoadedContext) {
    this.location = location;
    this.endpoint = endpoint;
    this.root = { ...endpoint, url: rootOf(endpoint.url) };
    this.namespace = namespace || 'default';
  }

  /** Every command begins here: an API server that is no fleet is refused before anything is read or changed. */
  static async find(flag: string | undefined, within?: number): Promise<Fleet> {
    const location = locateFleet(flag);
    const context = await loadContext(location.path);
    await using finding = new AsyncDisposableStack();
    const fleet = finding.use(new Fleet(location, context));
    fleet.answered = await fleet.ask(within);
    finding.move();
    return fleet;
  }

  /** As the server reports it. */
  get version(): FleetVersion {
    return this.answered!;
  }

  /** A client for the whole fleet, or for one clusterspace: a member or `karmada`. */
  client(clusterspace?: string, within?: number): KubeClient {
    return new KubeClient(this.upstreamAt(this.urlOf(clusterspace), within), 'fleet-cli');
  }

  /** The view that kubectl has with the same kubeconfig, or one clusterspace. */
  view(clusterspace?: string): PatientUpstream {
    return this.upstreamAt(clusterspace ? this.urlOf(clusterspace) : this.endpoint.url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream[Symbol.asyncDispose]()));
  }

  private urlOf(clusterspace: string | undefined): string {
    return clusterspace ? clusterspaceUrl(this.root.url, clusterspace) : this.root.url;
  }

  private upstreamAt(url: string, within?: number): PatientUpstream {
    const upstream = PatientUpstream.to({ ...this.root, url }, within);
    this.upstreams.push(upstream);
    return upstream;
  }

  private async ask(within: number | undefined): Promise<FleetVersion> {
    const answer = await this.client(undefined, within)
      .get<Partial<FleetVersion> | null>('/version')
      .catch((error: unknown) => {
        if (isStatus(error, 404) || error instanceof SyntaxError) return undefined;
        throw isStatus(error, 401) ? this.refused(error) : error;
      });
    const gitVersion = answer?.gitVersion;
    if (gitVersion !== undefined && isFleetVersion(gitVersion)) return { ...answer, gitVersion };
    const { path, by } = this.location;
    throw new HintedError(
      `no fleet answers at ${this.root.url}`,
      `${path} (${by}) is of another server: name the fleet's kubeconfig with --fleet-kubeconfig or FLEET_KUBECONFIG`,
    );
  }

  private refused(cause: unknown): HintedError {
    const { path, by } = this.location;
    return new HintedError(
      `${this.root.url} does not accept the credential in ${path} (${by})`,
      'It may have expired, or be of another fleet: a restart of "fleet serve" renews that of its admin.kubeconfig',
      { cause },
    );
  }
}

/** What the product adds to the version of its control plane. */
export const isFleetVersion = (gitVersion: string): boolean => /[+.]fleet\.\d/.test(gitVersion);

export const clusterspaceUrl = (root: string, clusterspace: string): string => `${root}/clusterspaces/${clusterspace}`;

const viewPath =
  /\/(clusterspaces\/[^/]+|clusters\/[^/]+|apis\/cluster\.karmada\.io\/v1alpha1\/clusters\/[^/]+\/proxy)$/;

/** The kubeconfig of any view finds the fleet, too, such as one made by `fleet kubeconfig --cluster`. */
export const rootOf = (url: string): string => withoutEnding(url, (sign) => sign === '/').replace(viewPath, '');
