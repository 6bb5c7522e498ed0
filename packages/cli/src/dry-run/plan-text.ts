/** Formats the plan of a dry run as text. */

import { columns } from '../description-layout.ts';
import { counted, objectText, placeText, reasonText } from '../federation-texts.ts';
import type { Plan } from './plan.ts';

export function planText({ template, replicas, policy, scheduled, clusters }: Plan): string {
  const { namespace, name } = template;
  const what = objectText({ kind: template.kind, metadata: { ...(namespace ? { namespace } : {}), name } });
  const share = replicas === undefined ? '' : `, ${counted(replicas, 'replica')}`;
  const by = policy ? `, by ${policy.kind} ${placeText(policy)}` : '';
  const rows = clusters.map((one) => [
    one.name,
    one.is === 'notChosen' ? '-' : String(one.replicas ?? 'the object'),
    one.is === 'notChosen' ? reasonText(one.reason) : '',
  ]);
  const table = rows.length > 0 ? columns([['Cluster', 'Replicas', 'Why not'], ...rows]) : '';
  const failed = scheduled.reason === 'Success' ? '' : `${scheduled.reason}: ${scheduled.message}\n`;
  return `${what}${share}${by}\n${table}${failed}`;
}
