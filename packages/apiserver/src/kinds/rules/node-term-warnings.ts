/** Warns about node selector terms with deprecated labels (`api/node/util.go`). */

import { labelValueFaults } from '../../names/name-rules.ts';
import { deprecatedNodeLabels } from './node-labels.ts';

export interface NodeTerm {
  matchExpressions?: { key: string; values?: string[] }[];
}

/** `checksValues`: preferred terms may have invalid label values. */
export const nodeTermWarnings = ({ matchExpressions = [] }: NodeTerm, at: string, checksValues: boolean): string[] =>
  matchExpressions.flatMap(({ key, values = [] }, index) => {
    const where = `${at}.matchExpressions[${index}]`;
    const why = deprecatedNodeLabels.get(key);
    return [
      ...(why ? [`${where}.key: ${key} is ${why}`] : []),
      ...(checksValues ? values : []).flatMap((value, place) =>
        labelValueFaults(value).map((fault) => `${where}.values[${place}]: ${value} is invalid, ${fault}`),
      ),
    ];
  });
