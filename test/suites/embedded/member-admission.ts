import type { AdmissionName } from '@fleet/apiserver/admission/admission.ts';

/** Those of kube-apiserver by default that the embedded API server has, too. */
export const memberAdmission: readonly AdmissionName[] = [
  'ServiceAccount',
  'TaintNodesByCondition',
  'Priority',
  'DefaultTolerationSeconds',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'DefaultIngressClass',
];
