import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The Kubernetes versions of the bed: the newest to be had from the module proxy, and one two minors older. */
export const kubernetesVersions = { newest: 'v1.36.3', older: 'v1.34.4' } as const;

export type VersionName = keyof typeof kubernetesVersions | `v${number}.${number}.${number}`;

export const kubernetesBinaries = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'e2e.test',
] as const;
export type KubernetesBinary = (typeof kubernetesBinaries)[number];

/** What propagates in Karmada. */
export const karmadaComponents = ['karmada-controller-manager', 'karmada-scheduler', 'karmada-webhook'] as const;
export type KarmadaComponent = (typeof karmadaComponents)[number];

/** One binary the bed can build, and the Go module it comes from. */
export type Binary =
  | { module: 'kubernetes'; name: KubernetesBinary; version: string }
  | { module: 'etcd'; name: 'etcd'; version: string }
  | { module: 'kwok'; name: 'kwok'; version: string }
  | { module: 'metrics-server'; name: 'metrics-server'; version: string }
  | { module: 'karmada'; name: 'karmada-e2e.test'; version: string }
  | { module: 'karmada-search'; name: 'karmada-search'; version: string }
  | { module: 'karmada-control-plane'; name: KarmadaComponent; version: string }
  | { module: 'konnectivity'; name: 'proxy-server' | 'proxy-agent'; version: string }
  | { module: 'chisel'; name: 'chisel'; version: string }
  | OwnBinary;

/** Go programs of this repository, in folders of their name: where those are. */
const ownPrograms = {
  'node-server': '..',
  'kube-types': '..',
  'kube-rules': '..',
  'client-go': '..',
  'hostile-agent': '..',
  informers: '../../chaos',
  mirror: '../../chaos',
  'service-discovery': '../../suites/aggregation-proxy',
} as const;
type OwnProgram = keyof typeof ownPrograms;
export type OwnBinary = { [Name in OwnProgram]: { module: Name; name: Name; version: string } }[OwnProgram];

export const isOwn = (binary: Binary): binary is OwnBinary => binary.module in ownPrograms;
export const ownSources = ({ module }: OwnBinary): string => join(import.meta.dirname, ownPrograms[module], module);

export const etcd: Binary = { module: 'etcd', name: 'etcd', version: 'v3.6.4' };
export const kwok: Binary = { module: 'kwok', name: 'kwok', version: 'v0.8.0' };
export const metricsServer: Binary = { module: 'metrics-server', name: 'metrics-server', version: 'v0.9.0' };
/** The newest whose sum the checksum database confirms. */
export const karmadaE2e: Binary = { module: 'karmada', name: 'karmada-e2e.test', version: 'v1.16.0' };
/** For benchmarks alone: what the aggregation cache is measured against. */
export const karmadaSearch: Binary = { module: 'karmada-search', name: 'karmada-search', version: 'v1.16.0' };
/** For benchmarks alone: what federation is measured against. */
export const karmadaControlPlane = (name: KarmadaComponent): Binary => ({
  module: 'karmada-control-plane',
  name,
  version: 'v1.16.0',
});
/** For benchmarks alone: what the tunnel is measured against. */
export const konnectivity: readonly Binary[] = (['proxy-server', 'proxy-agent'] as const).map((name) => ({
  module: 'konnectivity',
  name,
  version: 'v0.34.0',
}));
/** The newest to be had from the module proxy. */
export const chisel: Binary = { module: 'chisel', name: 'chisel', version: 'v1.11.3' };
export const nodeServer: Binary = { module: 'node-server', name: 'node-server', version: 'v0' };
/** Returns what Kubernetes' own code makes of protobuf. */
export const kubeTypes: Binary = { module: 'kube-types', name: 'kube-types', version: 'v0' };

/** Returns what Kubernetes' own code makes of objects before they are stored. */
export const kubeRules: Binary = { module: 'kube-rules', name: 'kube-rules', version: 'v0' };

/** What programs that use client-go do, by suffixed names. */
export const clientGo: Binary = { module: 'client-go', name: 'client-go', version: 'v0' };

/** An agent, and a server of agents, that break the rules of the tunnel. */
export const hostileAgent: Binary = { module: 'hostile-agent', name: 'hostile-agent', version: 'v0' };

/** Informers that print what they received, and a controller over a fleet; both with Go's race detector. */
export const informers: Binary = { module: 'informers', name: 'informers', version: 'v0' };
export const mirror: Binary = { module: 'mirror', name: 'mirror', version: 'v0' };
/** A controller that routes to pods at the aggregation endpoint; with Go's race detector. */
export const serviceDiscovery: Binary = { module: 'service-discovery', name: 'service-discovery', version: 'v0' };

export function kubernetes(name: KubernetesBinary, version: VersionName = 'newest'): Binary {
  return { module: 'kubernetes', name, version: resolveVersion(version) };
}

export function resolveVersion(version: VersionName): string {
  return version === 'newest' || version === 'older' ? kubernetesVersions[version] : version;
}

/** The arguments of `go` that make the binary, without `-o`. */
export function goArguments(binary: Binary): string[] {
  const flags = ['-trimpath', '-buildvcs=false'];
  switch (binary.module) {
    case 'kubernetes': {
      const [major, minor] = binary.version.slice(1).split('.');
      const stamps = { gitVersion: binary.version, gitMajor: major, gitMinor: minor };
      // without these /version answers v0.0.0-master, and so do the user agents
      const linked = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((path) =>
        Object.entries(stamps).map(([key, value]) => `-X ${path}.${key}=${value}`),
      );
      const link = ['-mod=mod', ...flags, '-ldflags', ['-s -w', ...linked].join(' ')];
      return binary.name === 'e2e.test'
        ? ['test', '-c', '-vet=off', ...link, 'k8s.io/kubernetes/test/e2e']
        : ['build', ...link, `k8s.io/kubernetes/cmd/${binary.name}`];
    }
    case 'etcd':
      return ['build', '-mod=mod', ...flags, '-ldflags', '-s -w', 'go.etcd.io/etcd/server/v3'];
    case 'kwok':
      return ['build', '-mod=mod', ...flags, '-ldflags', '-s -w', 'sigs.k8s.io/kwok/cmd/kwok'];
    case 'metrics-server':
      return ['build', '-mod=mod', ...flags, '-ldflags', '-s -w', 'sigs.k8s.io/metrics-server/cmd/metrics-server'];
    case 'karmada': {
      const suite = 'github.com/karmada-io/karmada/test/e2e/suites/base';
      return ['test', '-c', '-vet=off', '-mod=mod', ...flags, '-ldflags', '-s -w', suite];
    }
    case 'karmada-search':
      return ['build', '-mod=mod', ...flags, '-ldflags', '-s -w', 'github.com/karmada-io/karmada/cmd/karmada-search'];
    case 'karmada-control-plane': {
      const program = `github.com/karmada-io/karmada/cmd/${binary.name.slice('karmada-'.length)}`;
      return ['build', '-mod=mod', ...flags, '-ldflags', '-s -w', program];
    }
    case 'konnectivity': {
      const program = `sigs.k8s.io/apiserver-network-proxy/cmd/${binary.name.slice('proxy-'.length)}`;
      return ['build', '-mod=mod', ...flags, '-ldflags', '-s -w', program];
    }
    case 'chisel':
      return ['build', '-mod=mod', ...flags, '-ldflags', '-s -w', 'github.com/jpillora/chisel'];
    case 'node-server':
    case 'kube-types':
    case 'kube-rules':
    case 'client-go':
    case 'hostile-agent':
      return ['build', '-mod=readonly', ...flags, '-ldflags', '-s -w', '.'];
    case 'informers':
    case 'mirror':
    case 'service-discovery':
      return ['build', '-race', '-mod=readonly', ...flags, '.'];
    default:
      return binary satisfies never;
  }
}

export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env.FLEET_BED_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'fleet-bed');
}

/** Where the binary lies once built. The folder carries a stamp of the recipe, so what is there is up to date. */
export function binaryPath(binary: Binary, cache = cacheFolder()): string {
  return join(cache, `${binary.module}-${binary.version}-${stamp(binary)}`, binary.name);
}

export function kubectlPath(version: VersionName = 'newest'): string {
  return binaryPath(kubernetes('kubectl', version));
}

function stamp(binary: Binary): string {
  const hash = createHash('sha256').update(JSON.stringify(goArguments(binary)));
  if (isOwn(binary)) {
    const sources = ownSources(binary);
    for (const file of readdirSync(sources).sort()) hash.update(readFileSync(join(sources, file)));
  }
  return hash.digest('hex').slice(0, 8);
}
