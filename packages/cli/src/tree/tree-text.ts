/** Formats a tree as text. */

import { counted, placeText } from '../federation-texts.ts';
import type { ClusterTree, Tree } from './tree.ts';

interface Node {
  text: string;
  below: Node[];
}

export function treeText(tree: Tree): string {
  return `${lines(rootOf(tree)).join('\n')}\n\n${summaryText(tree)}\n`;
}

function rootOf({ template, policy, binding, clusters }: Tree): Node {
  const { kind, replicas } = template;
  const share = replicas === undefined ? '' : `: ${counted(replicas, 'replica')}`;
  const below: Node[] = [];
  if (policy) below.push(leaf(`${policy.kind} ${placeText(policy)}`));
  if (binding) {
    const conditions = binding.conditions.map(conditionText);
    const parents = (binding.requiredBy ?? []).map((parent) => `required by ${placeText(parent)}`);
    below.push({ text: `${binding.kind} ${placeText(binding)}`, below: [...conditions, ...parents].map(leaf) });
  }
  below.push(...clusters.map((cluster) => clusterNode(cluster, kind, placeText(template))));
  return { text: `${kind} ${placeText(template)}${share}`, below };
}

function clusterNode(
  { name, replicas, health, leaving, work, object }: ClusterTree,
  kind: string,
  place: string,
): Node {
  const share = replicas === undefined ? '' : `: ${counted(replicas, 'replica')}`;
  const state = leaving ? ', leaving' : `, ${health.toLowerCase()}`;
  const objectNode = leaf(`${kind} ${place}: ${object.text}`);
  const below = work
    ? [
        {
          text: `Work ${placeText(work)}`,
          below: [...work.conditions.map((one) => leaf(conditionText(one))), objectNode],
        },
      ]
    : [objectNode];
  return { text: `Cluster ${name}${share}${state}`, below };
}

/** The message only if something is wrong. */
const conditionText = ({
  type,
  status,
  reason,
  message,
}: {
  type: string;
  status: string;
  reason: string;
  message: string;
}) => `${type}: ${status}${status === 'True' ? '' : ` (${reason}) ${message}`}`;

const leaf = (text: string): Node => ({ text, below: [] });

function lines({ text, below }: Node): string[] {
  return [
    text,
    ...below.flatMap((node, index) => {
      const isLast = index === below.length - 1;
      const [first = '', ...others] = lines(node);
      return [`${isLast ? '└─ ' : '├─ '}${first}`, ...others.map((line) => `${isLast ? '   ' : '│  '}${line}`)];
    }),
  ];
}

function summaryText({ clusters, firstFault }: Tree): string {
  if (!firstFault) return `All is well: applied and healthy in ${clusters.map(({ name }) => name).join(', ')}.`;
  const { cluster, message, others } = firstFault;
  const more = others ? `\n${counted(others, 'more cluster')} ${others === 1 ? 'has' : 'have'} a fault, too.` : '';
  return `First fault: ${cluster ? `in ${cluster}, ` : ''}${message}.${more}`;
}
