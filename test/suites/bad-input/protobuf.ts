/** A small object in Kubernetes' protobuf: enough to be read, and to be spoilt. */

/** field: length-delimited. Lengths of up to 16 383 bytes. */
function field(number: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}

const texted = [
  [1, 'name'],
  [3, 'namespace'],
  [6, 'resourceVersion'],
] as const;

interface Named {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown>;
}

/**
 * magic "k8s\0", then runtime.Unknown: 1 TypeMeta (1 apiVersion, 2 kind), 2 raw object.
 * The object: 1 ObjectMeta (1 name, 3 namespace, 6 resourceVersion), and for ConfigMaps 2 data.
 */
export function protobufOf({ apiVersion, kind, metadata }: Named): Buffer {
  const texts = texted.flatMap(([number, key]) => {
    const text = metadata[key];
    return typeof text === 'string' ? [field(number, text)] : [];
  });
  const data = kind === 'ConfigMap' ? [field(2, Buffer.concat([field(1, 'key'), field(2, 'value')]))] : [];
  const object = Buffer.concat([field(1, Buffer.concat(texts)), ...data]);
  const type = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, object)]);
}
