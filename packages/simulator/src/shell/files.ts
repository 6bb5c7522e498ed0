/** The files of a container: a few that people look at, made from the pod. Nothing can be written. */

import { hostnameOf, type Pod } from '../pods/pod.ts';

export interface Files {
  /** Undefined if there is no such file; a directory has entries instead. */
  read(path: string): string | undefined;
  /** Names in a directory, sorted; undefined if it is none. */
  entries(path: string): readonly string[] | undefined;
}

const directories = ['/bin', '/dev', '/etc', '/home', '/proc', '/root', '/tmp', '/usr', '/usr/bin', '/var', '/var/run'];

export function filesOf(pod: Pod, image: string, programs: readonly string[]): Files {
  const files = new Map<string, string>([
    ['/etc/hostname', `${hostnameOf(pod)}\n`],
    ['/etc/hosts', hostsOf(pod)],
    ['/etc/resolv.conf', resolvConf(pod.metadata.namespace!)],
    ['/etc/os-release', osRelease(image)],
    ['/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n'],
    ['/etc/group', 'root:x:0:\nnogroup:x:65534:\n'],
    ['/dev/null', ''],
    ['/proc/version', `Linux version ${kernelRelease} (simulated)\n`],
    ['/var/run/secrets/kubernetes.io/serviceaccount/namespace', pod.metadata.namespace!],
    ...programs.map((name) => [`/bin/${name}`, ''] as const),
  ]);
  const tree = treeOf([...files.keys(), ...directories.map((path) => `${path}/`)]);
  return { read: (path) => files.get(path), entries: (path) => tree.get(path) };
}

/** Of the nodes. */
export const kernelRelease = '6.12.48';

/** Each directory with what is in it. */
function treeOf(paths: readonly string[]): Map<string, string[]> {
  const tree = new Map<string, Set<string>>();
  for (const path of paths) {
    const [, ...names] = path.split('/');
    let at = '';
    for (const name of names) {
      const directory = at || '/';
      const entries = tree.get(directory) ?? new Set();
      tree.set(directory, entries);
      if (name !== '') entries.add(name);
      at += `/${name}`;
    }
  }
  return new Map([...tree].map(([path, entries]) => [path, [...entries].sort()]));
}

const hostsOf = (pod: Pod): string =>
  `# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
${pod.status?.podIP ?? '127.0.0.1'}\t${hostnameOf(pod)}
`;

const resolvConf = (namespace: string): string =>
  `search ${namespace}.svc.cluster.local svc.cluster.local cluster.local
nameserver 10.96.0.10
options ndots:5
`;

export const isSmallImage = (image: string): boolean => image.includes('alpine') || image.includes('busybox');

/** Images that start a shell where no command is given. */
export const isShellImage = (image: string): boolean =>
  ['alpine', 'busybox', 'debian', 'ubuntu'].includes(image.split('/').at(-1)!.split(/[:@]/, 1)[0]!);

const osRelease = (image: string): string =>
  isSmallImage(image)
    ? 'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.22.2\nPRETTY_NAME="Alpine Linux v3.22"\n'
    : 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nNAME="Debian GNU/Linux"\nVERSION_ID="13"\nID=debian\n';

/** As the path of a directory and one below it; `..` stops at the root. */
export function resolvePath(directory: string, path: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith('/') ? path : `${directory}/${path}`).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}
