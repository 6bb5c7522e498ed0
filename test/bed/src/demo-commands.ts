/** What the demo prints, and what it runs itself when asked to check: one list for both. */

export interface DemoCommand {
  why: string;
  /** A line for a shell with the demo's KUBECONFIG and PATH. */
  line: string;
  /** What its output shows when it works. */
  shows: RegExp[];
}

export function demoCommands(server: string): DemoCommand[] {
  return [
    {
      why: 'the members',
      line: 'fleet get clusters -o wide',
      shows: [/member1 .*Push +True/, /member2 .*Push +True/],
    },
    {
      why: 'pods of all members in one list',
      line: 'kubectl get pods -A',
      shows: [/x\.clusterspace\.member1 /, /x\.clusterspace\.member2 /],
    },
    {
      why: 'with the columns you know',
      line: 'kubectl get deploy -n default -o wide',
      shows: [/web\.clusterspace\.member1 +3\/3/, /web\.clusterspace\.member2 +3\/3/],
    },
    {
      why: 'one object, named with its cluster',
      line: 'kubectl get pod x.clusterspace.member1 -o yaml',
      shows: [/name: x\.clusterspace\.member1\n/],
    },
    {
      why: 'its log',
      line: 'kubectl logs x.clusterspace.member2 --tail=3',
      shows: [/^x line \d+$/m],
    },
    {
      why: 'a command in it; exit codes come through',
      line: `kubectl exec shell.clusterspace.member1 -- sh -c 'echo hello from $FLEET_BED_MEMBER; exit 3' || echo "exit code $?"`,
      shows: [/hello from member1/, /exit code 3/],
    },
    {
      why: 'custom resources with their own columns',
      line: 'kubectl get widgets -A',
      shows: [/NAME +SIZE +PHASE/, /large\.clusterspace\.member1 +100/, /large\.clusterspace\.member2 +100/],
    },
    {
      why: 'one member as if it were alone',
      line: `kubectl --server ${server}/clusterspaces/member1 get nodes`,
      shows: [/^NAME +STATUS/, /Ready/],
    },
    {
      why: "the same by Karmada's URL",
      line: `kubectl --server ${server}/apis/cluster.karmada.io/v1alpha1/clusters/member2/proxy get pods`,
      shows: [/^x +1\/1 +Running/m],
    },
    {
      why: "the fleet's own objects",
      line: `kubectl --server ${server}/clusterspaces/karmada get clusters`,
      shows: [/member1 /, /member2 /],
    },
  ];
}
