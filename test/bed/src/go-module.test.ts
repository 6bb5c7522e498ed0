import { expect, it } from 'vitest';
import { kubernetesGoMod } from './go-module.ts';

const upstream = `module k8s.io/kubernetes

go 1.26.0

require (
	github.com/a/b v1.2.3
	k8s.io/api v0.0.0
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	github.com/c/d => github.com/e/d v1.0.0
)
`;

it('repeats staging modules as published ones, and takes over all else', () => {
  expect(kubernetesGoMod(upstream, 'v1.36.3')).toBe(`module bed.local/kubernetes

go 1.26.0

require (
	github.com/a/b v1.2.3
	k8s.io/api v0.0.0
)

replace (
	k8s.io/api => k8s.io/api v0.36.3
	github.com/c/d => github.com/e/d v1.0.0
)

require k8s.io/kubernetes v1.36.3
`);
});
