/** The fields of an Ingress that validation uses. */

export interface Backend {
  service?: { name?: string; port?: { name?: string; number?: number } };
  resource?: { apiGroup?: string | null; kind?: string; name?: string };
}

export interface HttpPath {
  path?: string;
  /** Null where Go writes a nil pointer. */
  pathType?: string | null;
  backend: Backend;
}

export interface Rule {
  host?: string;
  http?: { paths?: HttpPath[] | null };
}

export interface IngressSpec {
  ingressClassName?: string;
  defaultBackend?: Backend;
  rules?: Rule[];
  tls?: { hosts?: string[]; secretName?: string }[];
}

export interface LoadBalancer {
  ingress?: { ip?: string; hostname?: string }[];
}

export interface Ingress {
  spec: IngressSpec;
  status: { loadBalancer?: LoadBalancer };
}
