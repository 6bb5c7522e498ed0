/**
 * `node packages/kube/src/protobuf/schema.build.ts`: what test/bed/kube-types prints, as generated/protobuf-schema.ts.
 * It asks Kubernetes' Go types themselves (numbers, JSON names and inlining are tags of their structs), so it needs Go.
 */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const program = new URL('../../../../test/bed/kube-types', import.meta.url);
const generated = new URL('../generated/protobuf-schema.ts', import.meta.url);

/** What generated/protobuf-schema.ts must hold. */
export const schemaModule = (printed: string): string =>
  `// Made from Kubernetes' Go types by protobuf/schema.build.ts; the protobuf suite on the bed holds it to that.
export const protobufSchema = \`${printed}\`;
`;

if (import.meta.main) {
  const { stdout } = await promisify(execFile)('go', ['run', '.', 'schema'], { cwd: program, maxBuffer: 2 ** 24 });
  await writeFile(generated, schemaModule(stdout));
}
