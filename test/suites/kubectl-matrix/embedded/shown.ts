/** What kubectl printed, without what no two servers have in common: times, identities, addresses. */

import type { KubectlResult } from '@fleet/bed/kubectl.ts';

const replaced: readonly [RegExp, string][] = [
  [/https:\/\/127\.0\.0\.1:\d+(\/clusterspaces\/karmada)?/g, '‹server›'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '‹uid›'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| [+-]\d{4}( UTC)?)/g, '‹time›'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '‹time›'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '‹token›'],
  [/(resourceVersion"?: )"\d+"/g, '$1‹version›'],
  [/(Resource Version: +)\d+/g, '$1‹version›'],
  // A whole object in a message stands there in whatever order.
  [/(patch: Invalid value: )"(?:[^"\\]|\\.)*"/g, '$1‹object›'],
  [/\b10\.0\.\d+\.\d+\b/g, '‹address›'],
  [/\b(\d+[dhms]){1,2}( ago)?(?=\s|$)/gm, '‹age›'],
  [/\S*\/(LIVE|MERGED)-\d+\//g, '$1/'],
  // Columns are as wide as what stands in them.
  [/[ \t]{2,}/g, '  '],
  [/[ \t]+$/gm, ''],
];

export const shown = ({ code, stdout, stderr }: KubectlResult): string => {
  const text = `${stdout}${stderr ? `stderr: ${stderr}` : ''}exit code ${code}`;
  return replaced.reduce((known, [pattern, by]) => known.replaceAll(pattern, by), text);
};
