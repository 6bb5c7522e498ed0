/** The kind Job. */

import type { FieldError } from '../../errors/field-error.ts';
import { quoted } from '../../errors/quoted.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { templateWarnings } from '../pods/spec-warnings.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { served } from '../served.ts';
import { nameWarnings } from '../workloads/name-warning.ts';
import { isOtherGeneration } from '../workloads/template-warnings.ts';
import { jobCells } from './columns.ts';
import { defaultJob } from './defaults.ts';
import { isIndexed, type Job, type JobSpec } from './job.ts';
import { hostnameErrors, jobSpecErrors } from './rules.ts';
import { generatedSelectorErrors, generateSelector, hasPrefixedLabels } from './selector.ts';
import { jobStatusErrors } from './status-rules.ts';
import { jobUpdateErrors } from './update-rules.ts';

const facts = served('batch', 'jobs');

const of = (object: KubeObject) => object as unknown as KubeObject & Job;

const jobErrors = (job: KubeObject & Job, isPrefixed: boolean): FieldError[] => [
  ...objectMetaErrors(job, facts),
  ...generatedSelectorErrors(job, isPrefixed),
  ...jobSpecErrors(job.spec, 'spec'),
  ...hostnameErrors(job.metadata.name ?? '', job.spec),
];

export const jobs: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  orphansDependents:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  strategy: {
    complete: (object) => defaultJob(of(object)),
    prepareForCreate: (object, given) => generateSelector(of(object), of(given)),
    validateCreate: (object) => jobErrors(of(object), true),
    validateUpdate: (object, old, subresource) =>
      subresource === 'status'
        ? [...objectMetaUpdateErrors(object, old), ...jobStatusErrors(of(object), of(old))]
        : [
            ...jobErrors(of(object), hasPrefixedLabels(of(old).spec)),
            ...objectMetaUpdateErrors(object, old),
            ...jobUpdateErrors(of(object).spec, of(old)),
          ],
    warnings: (object, old, subresource) => [
      ...(old ? [] : nameWarnings(object)),
      ...(subresource !== 'status' && isOtherGeneration(object, old) ? jobWarnings(of(object).spec, 'spec') : []),
    ],
    unknownField: (field) => `field label ${quoted(field)} not supported for Job`,
    selectableFields: { 'status.successful': (object) => String(of(object).status?.succeeded ?? 0) },
  },
  columns: kindColumns<Job>(facts, jobCells),
};

export const jobWarnings = (spec: JobSpec, at: string): string[] => [
  ...(isIndexed(spec) && (spec.completions ?? 0) > 100_000 && (spec.parallelism ?? 0) > 10_000
    ? [
        `${at}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
      ]
    : []),
  ...templateWarnings(spec.template, `${at}.template`),
];
