/** The kind DaemonSet. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { templateWarnings } from '../pods/spec-warnings.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { labelsText, selectorOrNone } from '../printing/selectors.ts';
import { isSame } from '../rules/equality.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { served } from '../served.ts';
import { collisionErrors } from '../workloads/replica-status-rules.ts';
import { templateCells } from '../workloads/template-columns.ts';
import type { DaemonSet } from './daemon-set.ts';
import { defaultDaemonSet } from './defaults.ts';
import { daemonSetErrors, daemonSetStatusErrors, daemonSetUpdateErrors } from './rules.ts';
import { setTemplateGeneration, templateGeneration, templateGenerationKey } from './template-generation.ts';

const facts = served('apps', 'daemonsets');

const of = (object: KubeObject): DaemonSet => object as unknown as DaemonSet;

export const daemonSets: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  fieldAnnotations: [templateGenerationKey],
  strategy: {
    completeEmpty: (object) => setTemplateGeneration(object, 0),
    complete: (object) => {
      defaultDaemonSet(of(object));
      setTemplateGeneration(object, templateGeneration(object));
    },
    prepareForCreate: (object) => setTemplateGeneration(object, Math.max(1, templateGeneration(object))),
    prepareForUpdate: (object, old, subresource) => {
      const isChanged = subresource === undefined && !isSame(of(object).spec.template, of(old).spec.template);
      setTemplateGeneration(object, templateGeneration(old) + (isChanged ? 1 : 0));
    },
    validateCreate: (object) => [...objectMetaErrors(object, facts), ...daemonSetErrors(of(object).spec)],
    validateUpdate: (object, old, subresource) => [
      ...objectMetaUpdateErrors(object, old),
      ...(subresource === 'status'
        ? [...daemonSetStatusErrors(of(object).status), ...collisionErrors(of(object).status, of(old).status)]
        : daemonSetUpdateErrors(of(object).spec, of(old).spec)),
    ],
    warnings: (object, old) =>
      !old || templateGeneration(object) !== templateGeneration(old)
        ? templateWarnings(of(object).spec.template, 'spec.template')
        : [],
  },
  columns: kindColumns<DaemonSet>(facts, {
    Desired: ({ status }) => status?.desiredNumberScheduled ?? 0,
    Current: ({ status }) => status?.currentNumberScheduled ?? 0,
    Ready: ({ status }) => status?.numberReady ?? 0,
    'Up-to-date': ({ status }) => status?.updatedNumberScheduled ?? 0,
    Available: ({ status }) => status?.numberAvailable ?? 0,
    'Node Selector': ({ spec }) => labelsText(spec?.template?.spec?.nodeSelector),
    ...templateCells,
    Selector: ({ spec }) => selectorOrNone(spec?.selector),
  }),
};
