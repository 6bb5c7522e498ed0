import { expect, it } from 'vitest';
import type { Pod } from '../../pods/pod.ts';
import { portIn, type Service, selectsPod } from './service.ts';

const podWith = (containers: Pod['spec']['containers'], more: Partial<Pod['spec']> = {}): Pod => ({
  metadata: { name: 'p', namespace: 'd', labels: { app: 'web' } },
  spec: { containers, ...more },
});

it('finds a port by name and protocol, the first of several, in sidecars too', () => {
  const port = (name: string, containerPort: number, protocol?: string) => ({
    name,
    containerPort,
    ...(protocol ? { protocol } : {}),
  });
  const pod = podWith([{ name: 'a', ports: [port('dns', 1, 'UDP'), port('dns', 2), port('dns', 3, 'TCP')] }], {
    initContainers: [
      { name: 'i', ports: [port('web', 4)] },
      { name: 's', restartPolicy: 'Always', ports: [port('web', 5)] },
    ],
  });
  expect(portIn(pod, { port: 53, targetPort: 'dns' })).toBe(2);
  expect(portIn(pod, { port: 53, targetPort: 'dns', protocol: 'UDP' })).toBe(1);
  expect(portIn(pod, { port: 80, targetPort: 'web' })).toBe(5);
  expect(portIn(pod, { port: 80, targetPort: 'none' })).toBeUndefined();
  expect(portIn(pod, { port: 80, targetPort: 8080 })).toBe(8080);
  expect(portIn(pod, { port: 80 })).toBe(80);
});

it("reads a pod's ports once for all ports of its Services", () => {
  let reads = 0;
  const ports = Array.from({ length: 100 }, (_, index) => ({
    get name() {
      reads += 1;
      return `p${index}`;
    },
    containerPort: index,
  }));
  const pod = podWith([{ name: 'a', ports }]);
  for (let index = 0; index < 100; index += 1) expect(portIn(pod, { port: 1, targetPort: `p${index}` })).toBe(index);
  expect(reads).toBeLessThanOrEqual(200);
});

it("lists a Service's selector once for all pods", () => {
  let lists = 0;
  const selector = new Proxy<Record<string, string>>(
    { app: 'other', tier: 'x' },
    {
      ownKeys(target) {
        lists += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
  const service: Service = { metadata: { name: 's', namespace: 'd' }, spec: { selector } };
  for (let index = 0; index < 100; index += 1) expect(selectsPod(service, podWith([]))).toBe(false);
  expect(lists).toBe(1);
});
