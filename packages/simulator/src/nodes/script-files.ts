/** Keeps the files that containers' scripts create: in a volume they outlive the container, in one of the node also the pod. */

import type { Container, Pod, VolumeMount } from '../pods/pod.ts';
import { mountTree } from '../shell/files.ts';
import { longestPath, type PathTree } from '../shell/path-tree.ts';
import type { ScriptWorld } from './script-world.ts';

/** The maximum; longer paths are not kept either. */
const mostFiles = 1_000;

/** Where the files of a mount are stored, and with which prefix. */
interface Kept {
  files: Set<string>;
  prefix: string;
  /** The path of the mount. */
  at: string;
}

/** For one start of a container. `ofPod` and `ofNode` hold what outlives it. */
export function scriptFiles(
  pod: Pod,
  { volumeMounts = [] }: Container,
  ofPod: Set<string>,
  ofNode: Set<string>,
): ScriptWorld['files'] {
  const ofContainer = new Set<string>();
  const volumes = new Map(pod.spec.volumes?.map((volume) => [volume.name, volume]));
  const kept = ({ name }: VolumeMount, at: string): Kept => {
    const onNode = volumes.get(name)?.hostPath?.path;
    return onNode === undefined ? { files: ofPod, prefix: name, at } : { files: ofNode, prefix: onNode, at };
  };
  // Few scripts create files.
  let mounts: PathTree<Kept> | undefined;
  const place = (path: string): [Set<string>, string] => {
    mounts ??= mountTree(volumeMounts, kept);
    const mount = mounts.above(path);
    return mount ? [mount.files, `${mount.prefix}${path.slice(mount.at.length)}`] : [ofContainer, path];
  };
  return {
    has(path) {
      const [files, name] = place(path);
      return files.has(name);
    },
    add(path) {
      const [files, name] = place(path);
      if (files.size < mostFiles && name.length <= longestPath) files.add(name);
    },
    delete(path) {
      const [files, name] = place(path);
      files.delete(name);
    },
  };
}
