/** The initial files of a container: a few common ones, generated from the pod. */

import { kernelVersion } from '../nodes/node.ts';
import { type Container, hostnameOf, type Pod, type VolumeMount } from '../pods/pod.ts';
import { longestPath, PathTree } from './path-tree.ts';

export interface Files {
  /** Undefined if there is no such file; for a directory use `entries`. */
  read(path: string): string | undefined;
  /** In bytes; undefined if there is no such file. */
  size(path: string): number | undefined;
  /** The sorted names in a directory; undefined if it is not a directory. */
  entries(path: string): readonly string[] | undefined;
  isDirectory(path: string): boolean;
}

const directories = ['/bin', '/dev', '/etc', '/home', '/proc', '/root', '/tmp', '/usr', '/usr/bin', '/var', '/var/run'];

export function filesOf(pod: Pod, container: Container, programs: readonly string[]): Files {
  const { image = '', workingDir, volumeMounts = [] } = container;
  const files = new Map<string, string>([
    ['/etc/hostname', `${hostnameOf(pod)}\n`],
    ['/etc/hosts', hostsOf(pod)],
    ['/etc/resolv.conf', resolvConf(pod.metadata.namespace!)],
    ['/etc/os-release', osRelease(image)],
    ['/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n'],
    ['/etc/group', 'root:x:0:\nnogroup:x:65534:\n'],
    ['/dev/null', ''],
    ['/proc/version', `Linux version ${kernelVersion} (simulated)\n`],
    ['/var/run/secrets/kubernetes.io/serviceaccount/namespace', pod.metadata.namespace!],
    ...programs.map((name) => [`/bin/${name}`, ''] as const),
  ]);
  const tree = new PathTree();
  for (const path of [...files.keys(), ...directories]) tree.add(path);
  for (const path of [workingDir ?? '/', ...volumeMounts.map(({ mountPath }) => mountPath)]) {
    // Paths that are too long are not resolved, which would take time, too.
    if (path.length <= longestPath) tree.add(resolvePath('/', path));
  }
  return {
    read: (path) => files.get(path),
    size(path) {
      const text = files.get(path);
      return text === undefined ? undefined : Buffer.byteLength(text);
    },
    entries: (path) => (files.has(path) ? undefined : tree.entries(path)),
    isDirectory: (path) => tree.has(path) && !files.has(path),
  };
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

/** Images whose default command is a shell. */
export const isShellImage = (image: string): boolean =>
  ['alpine', 'busybox', 'debian', 'ubuntu'].includes(image.split('/').at(-1)!.split(/[:@]/, 1)[0]!);

/** Whether an image, or a volume in it, may have an unknown file. In shell images all files are known. */
export function couldHold({ image = '', volumeMounts = [] }: Container): (path: string) => boolean {
  if (!isShellImage(image)) return () => true;
  let mounts: PathTree<true> | undefined;
  return (path) => {
    mounts ??= mountTree(volumeMounts, () => true);
    return mounts.above(path) === true;
  };
}

/** The mounts of a container as a tree. */
export function mountTree<T>(
  mounts: readonly VolumeMount[],
  mounted: (mount: VolumeMount, path: string) => T,
): PathTree<T> {
  const tree = new PathTree<T>();
  for (const mount of mounts) {
    if (mount.mountPath.length > longestPath) continue;
    const path = resolvePath('/', mount.mountPath);
    tree.add(path, mounted(mount, path));
  }
  return tree;
}

const osRelease = (image: string): string =>
  isSmallImage(image)
    ? 'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.22.2\nPRETTY_NAME="Alpine Linux v3.22"\n'
    : 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nNAME="Debian GNU/Linux"\nVERSION_ID="13"\nID=debian\n';

/** Resolves a path relative to a directory; `..` stops at the root. */
export function resolvePath(directory: string, path: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith('/') ? path : `${directory}/${path}`).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}
