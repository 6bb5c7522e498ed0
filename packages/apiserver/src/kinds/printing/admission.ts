/** The Table cells of admission webhooks, policies and their bindings. */

import type { SelectorObject } from '../../selectors/selector-object.ts';
import { cellsOf, type KindCells, unset } from './cells.ts';
import { selectorMessage } from './selectors.ts';

const group = 'admissionregistration.k8s.io';

const webhooks = { Webhooks: (object: { webhooks?: unknown[] }) => object.webhooks?.length ?? 0 };

interface Policy {
  spec?: { validations?: unknown[]; mutations?: unknown[]; paramKind?: { apiVersion?: string; kind?: string } };
}

const paramKind = ({ spec }: Policy): string =>
  spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : unset;

interface Binding {
  spec?: { policyName?: string; paramRef?: { name?: string; namespace?: string; selector?: SelectorObject } };
}

const binding = {
  PolicyName: ({ spec }: Binding) => spec?.policyName ?? '',
  ParamRef: ({ spec }: Binding) => {
    const { name, namespace, selector } = spec?.paramRef ?? {};
    // Whether the referenced kind is namespaced is unknown here.
    if (name) return `${namespace || '*'}/${name}`;
    return selector ? selectorMessage(selector) : unset;
  },
};

export const admissionCells: readonly KindCells[] = [
  cellsOf(`${group}/mutatingwebhookconfigurations`, webhooks),
  cellsOf(`${group}/validatingwebhookconfigurations`, webhooks),
  cellsOf<Policy>(`${group}/validatingadmissionpolicies`, {
    Validations: ({ spec }) => spec?.validations?.length ?? 0,
    ParamKind: paramKind,
  }),
  cellsOf<Policy>(`${group}/mutatingadmissionpolicies`, {
    Mutations: ({ spec }) => spec?.mutations?.length ?? 0,
    ParamKind: paramKind,
  }),
  cellsOf(`${group}/validatingadmissionpolicybindings`, binding),
  cellsOf(`${group}/mutatingadmissionpolicybindings`, binding),
];
