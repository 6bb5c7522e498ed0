/** Validates security contexts. */

import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import { between, descendingPathErrors, enumErrors } from '../field-rules.ts';

interface SecurityContext {
  privileged?: boolean;
  allowPrivilegeEscalation?: boolean;
  seccompProfile?: { type?: string; localhostProfile?: string };
  sysctls?: { name: string }[];
  [field: string]: unknown;
}

const mostId = 2 ** 31 - 1;
const ids = ['fsGroup', 'runAsUser', 'runAsGroup'];
const sysctlPart = /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const sysctlRule =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

/** For a pod, or for one of its containers. */
export function securityErrors(given: Record<string, unknown> = {}, path: string): FieldError[] {
  const context = given as SecurityContext;
  const { seccompProfile: profile, sysctls = [] } = context;
  const isTorn = context.privileged === true && context.allowPrivilegeEscalation === false;
  return [
    ...ids.flatMap((name) => {
      const id = context[name];
      return typeof id === 'number' && (id < 0 || id > mostId)
        ? [invalidValue(`${path}.${name}`, id, between(0, mostId))]
        : [];
    }),
    ...(profile ? seccompErrors(profile, `${path}.seccompProfile`) : []),
    ...sysctls.flatMap(({ name }, index) =>
      name.length <= 253 && name.split(/[./]/).every((part) => sysctlPart.test(part))
        ? []
        : [invalidValue(`${path}.sysctls[${index}].name`, name, sysctlRule)],
    ),
    ...(isTorn
      ? [
          invalidValue(
            path,
            goContext(context),
            'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
          ),
        ]
      : []),
  ];
}

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function seccompErrors(profile: NonNullable<SecurityContext['seccompProfile']>, at: string): FieldError[] {
  const { type = '', localhostProfile: path } = profile;
  const isLocal = type === 'Localhost';
  const field = `${at}.localhostProfile`;
  return [
    ...(type === ''
      ? [required(`${at}.type`, 'type is required when seccompProfile is set')]
      : enumErrors(`${at}.type`, type, profileTypes)),
    ...(isLocal && path === undefined ? [required(field, 'must be set when seccomp type is Localhost')] : []),
    ...(isLocal && path !== undefined ? descendingPathErrors(field, path) : []),
    // Shown as Go's internal type.
    ...(!isLocal && path !== undefined
      ? [invalidValue(field, { Type: type, LocalhostProfile: path }, 'can only be set when seccomp type is Localhost')]
      : []),
  ];
}

const goFields = [
  ...['capabilities', 'privileged', 'seLinuxOptions', 'windowsOptions', 'runAsUser', 'runAsGroup', 'runAsNonRoot'],
  ...['readOnlyRootFilesystem', 'allowPrivilegeEscalation', 'procMount', 'seccompProfile', 'appArmorProfile'],
];

/** In Go's internal form. */
const goContext = (context: SecurityContext): object =>
  Object.fromEntries(
    goFields.map((name) => [
      name === 'seLinuxOptions' ? 'SELinuxOptions' : `${name[0]!.toUpperCase()}${name.slice(1)}`,
      context[name] ?? null,
    ]),
  );
