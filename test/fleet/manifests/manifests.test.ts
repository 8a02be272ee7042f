import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { githubWorkflow } from '../../../src/fleet/manifests/github.ts';
import { kubernetesManifest } from '../../../src/fleet/manifests/kubernetes.ts';
import { base, fleetOf } from '../support/settings.ts';

const FLEET = fleetOf([base('billing', { schedule: '0 3 * * *' }), base('support')]);

test('Kubernetes gets one CronJob for each knowledge base, with its own key only', () => {
  const [volume, ...jobs] = parseAllDocuments(kubernetesManifest(FLEET)).map((one) => one.toJS());
  expect(volume).toMatchObject({ kind: 'PersistentVolumeClaim' });
  expect(jobs).toMatchObject([
    { kind: 'CronJob', metadata: { name: 'kbsync-billing' }, spec: { schedule: '0 3 * * *' } },
    { metadata: { name: 'kbsync-support' }, spec: { concurrencyPolicy: 'Forbid', timeZone: 'Etc/UTC' } },
  ]);
  const [container] = jobs[0].spec.jobTemplate.spec.template.spec.containers;
  expect(container.args).toEqual(['fleet', '--once', 'billing', '--file', '/fleet/fleet.yaml']);
  expect(container.env.map(({ name }: { name: string }) => name)).toEqual(['KEY_BILLING']);
});

test('GitHub gets a matrix in which each job sees its own key', () => {
  const { jobs } = parse(githubWorkflow(FLEET));
  expect(jobs.sync.strategy.matrix.include).toEqual([
    { name: 'billing', key: 'KEY_BILLING' },
    { name: 'support', key: 'KEY_SUPPORT' },
  ]);
  const { env, run } = jobs.sync.steps.at(-1);
  expect(env.KEY_BILLING).toBe("${{ matrix.key == 'KEY_BILLING' && secrets.KEY_BILLING || '' }}");
  expect(run).not.toContain('${{'); // a name from a file is never part of a script
});

test('what GitHub cannot do is said', () => {
  const many = fleetOf(Array.from({ length: 257 }, (_, at) => base(`kb-${at}`)));
  expect(() => githubWorkflow(many)).toThrow('a matrix of GitHub takes 256 jobs, and the file has 257');
  expect(() => githubWorkflow(fleetOf([base('a', { key: { file: 'k' } })]))).toThrow('key of a is in a file');
});
