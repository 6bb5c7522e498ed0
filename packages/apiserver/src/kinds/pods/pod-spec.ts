/** The fields of a pod spec that defaults, validation and admission use. Absent fields are Go's zero values, as the spec was decoded. */

import type { ObjectMeta } from '../../registry/kube-object.ts';

export type ResourceList = Record<string, string>;

export interface Resources {
  requests?: ResourceList;
  limits?: ResourceList;
  claims?: { name: string; request?: string }[];
}

export interface HttpGet {
  path?: string;
  port?: number | string;
  host?: string;
  scheme?: string;
  httpHeaders?: { name: string; value?: string }[];
}

export interface Handler {
  exec?: { command?: string[] };
  httpGet?: HttpGet;
  tcpSocket?: { port?: number | string; host?: string };
  grpc?: { port?: number; service?: string | null };
  sleep?: { seconds?: number };
}

export interface Probe extends Handler {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
}

export interface ContainerPort {
  name?: string;
  hostPort?: number;
  containerPort?: number;
  protocol?: string;
  hostIP?: string;
}

export interface FieldRef {
  apiVersion?: string;
  fieldPath?: string;
}

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: {
    fieldRef?: FieldRef;
    resourceFieldRef?: { containerName?: string; resource?: string; divisor?: string };
    configMapKeyRef?: { name?: string; key?: string };
    secretKeyRef?: { name?: string; key?: string };
    fileKeyRef?: { volumeName?: string; path?: string; key?: string; optional?: boolean };
  };
}

export interface VolumeMount {
  name: string;
  mountPath?: string;
  subPath?: string;
  subPathExpr?: string;
  readOnly?: boolean;
  mountPropagation?: string;
}

export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  env?: EnvVar[];
  envFrom?: { prefix?: string; configMapRef?: { name?: string }; secretRef?: { name?: string } }[];
  resources?: Resources;
  volumeMounts?: VolumeMount[];
  volumeDevices?: { name: string; devicePath?: string }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: { postStart?: Handler; preStop?: Handler; stopSignal?: string };
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  restartPolicy?: string;
  securityContext?: Record<string, unknown>;
  targetContainerName?: string;
  [field: string]: unknown;
}

export interface DownwardItem {
  path?: string;
  fieldRef?: FieldRef;
  resourceFieldRef?: { containerName?: string; resource?: string; divisor?: string };
  mode?: number;
}

export interface KeyItem {
  key: string;
  path: string;
  mode?: number;
}

export interface ClaimSpec {
  accessModes?: string[];
  resources?: Resources;
  storageClassName?: string;
  volumeMode?: string;
  volumeName?: string;
  [field: string]: unknown;
}

export interface VolumeSources {
  hostPath?: { path?: string; type?: string };
  emptyDir?: { sizeLimit?: string; medium?: string };
  secret?: { secretName?: string; defaultMode?: number; items?: KeyItem[] };
  configMap?: { name?: string; defaultMode?: number; items?: KeyItem[] };
  downwardAPI?: { defaultMode?: number; items?: DownwardItem[] };
  projected?: {
    defaultMode?: number;
    /** Null where Go writes a nil slice. */
    sources?:
      | {
          downwardAPI?: { items?: DownwardItem[] };
          serviceAccountToken?: { expirationSeconds?: number; path?: string; audience?: string };
          configMap?: { name?: string; items?: KeyItem[] };
          secret?: { name?: string; items?: KeyItem[] };
        }[]
      | null;
  };
  persistentVolumeClaim?: { claimName?: string };
  ephemeral?: { volumeClaimTemplate?: { metadata?: ObjectMeta; spec?: ClaimSpec } };
  image?: { reference?: string; pullPolicy?: string };
  iscsi?: { iscsiInterface?: string };
  rbd?: { pool?: string; user?: string; keyring?: string };
  azureDisk?: { cachingMode?: string; fsType?: string; readOnly?: boolean; kind?: string };
  scaleIO?: { storageMode?: string; fsType?: string };
}

export interface Volume extends VolumeSources {
  name: string;
  [source: string]: unknown;
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

export interface PodSpec {
  volumes?: Volume[];
  initContainers?: Container[];
  /** Null where Go writes a nil slice. */
  containers?: Container[] | null;
  ephemeralContainers?: Container[];
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  dnsPolicy?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  /** The older name of the field. */
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: Record<string, unknown>;
  imagePullSecrets?: { name?: string }[];
  hostname?: string;
  subdomain?: string;
  schedulerName?: string;
  tolerations?: Toleration[];
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: string;
  enableServiceLinks?: boolean;
  overhead?: ResourceList;
  resources?: Resources;
  schedulingGates?: { name: string }[];
  [field: string]: unknown;
}

export interface PodTemplate {
  metadata?: ObjectMeta;
  spec?: PodSpec;
}
