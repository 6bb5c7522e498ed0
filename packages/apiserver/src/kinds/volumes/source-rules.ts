/** Validates the source of a PersistentVolume. */

import { type FieldError, invalidValue, required, tooLong } from '../../errors/field-error.ts';
import { dnsSubdomainFaults } from '../../names/name-rules.ts';
import { backstepErrors, between, faultsAt } from '../field-rules.ts';
import { nfsErrors } from '../pods/volume-rules.ts';

interface Driver {
  driver?: string;
  volumeHandle?: string;
}

interface Iscsi {
  targetPortal?: string;
  iqn?: string;
  lun?: number;
}

export interface CheckedSources {
  csi?: Driver;
  iscsi?: Iscsi;
  local?: { path?: string };
  nfs?: { server?: string; path?: string };
}

const longestDriver = 63;
const mostUnits = 255;

/** Target names, by their format. */
const targets = {
  iqn: /^iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

const isTarget = (name: string): boolean =>
  Object.entries(targets).some(([sort, form]) => name.startsWith(sort) && form.test(name));

export const volumeSourceErrors = ({ csi, iscsi, local, nfs }: CheckedSources): FieldError[] => [
  ...(csi ? driverErrors(csi) : []),
  ...(iscsi ? iscsiErrors(iscsi) : []),
  ...(local ? (local.path ? backstepErrors('spec.local.path', local.path) : [required('spec.local.path')]) : []),
  ...(nfs ? nfsErrors(nfs, 'spec.nfs') : []),
];

function driverErrors({ driver = '', volumeHandle }: Driver): FieldError[] {
  const field = 'spec.csi.driver';
  return [
    ...(driver
      ? [
          ...(driver.length > longestDriver ? [tooLong(field, longestDriver)] : []),
          ...faultsAt(field, driver, dnsSubdomainFaults(driver.toLowerCase())),
        ]
      : [required(field)]),
    ...(volumeHandle ? [] : [required('spec.csi.volumeHandle')]),
  ];
}

function iscsiErrors({ targetPortal, iqn, lun = 0 }: Iscsi): FieldError[] {
  return [
    ...(targetPortal ? [] : [required('spec.iscsi.targetPortal')]),
    ...(iqn
      ? isTarget(iqn)
        ? []
        : [invalidValue('spec.iscsi.iqn', iqn, 'must be valid format')]
      : [required('spec.iscsi.iqn')]),
    ...(lun < 0 || lun > mostUnits ? [invalidValue('spec.iscsi.lun', lun, between(0, mostUnits))] : []),
  ];
}
