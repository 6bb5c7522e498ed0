/** The kind Service. Its allocations are in `allocation.ts`. */

import { dnsLabelFaults } from '../../names/name-rules.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { fields } from '../selectable-fields.ts';
import { served } from '../served.ts';
import { serviceColumns } from './columns.ts';
import { finishService, prepareServiceUpdate } from './service-changes.ts';
import { defaultService } from './service-defaults.ts';
import { serviceErrors, serviceUpdateErrors } from './service-rules.ts';
import { serviceWarnings } from './service-warnings.ts';

export const services: PrintedKind = {
  ...served('', 'services'),
  createsOnUpdate: true,
  returnsDeleted: true,
  nameFaults: dnsLabelFaults,
  strategy: {
    complete: defaultService,
    prepareForUpdate: prepareServiceUpdate,
    finish: finishService,
    validateCreate: serviceErrors,
    validateUpdate: serviceUpdateErrors,
    warnings: serviceWarnings,
    selectableFields: fields({ 'spec.clusterIP': '', 'spec.type': '' }),
  },
  columns: serviceColumns,
};
