import { stringify } from 'yaml';
import { crontabOf } from '../settings/schedule.ts';
import type { Fleet, KnowledgeBase } from '../settings/settings.ts';
import type { SecretPlace } from '../settings/schema.ts';

/**
 * One CronJob for each knowledge base, and the volume that they share. fleet.yaml comes from the ConfigMap `kbsync-fleet`, keys by
 * variable from the Secret `kbsync-fleet`, keys by file from the same Secret under /etc/kbsync-fleet.
 */
export function kubernetesManifest(fleet: Fleet): string {
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'kbsync-fleet' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
  };
  return [volume, ...fleet.bases.map((base) => cronJob(base, fleet))]
    .map((each) => stringify(each, { lineWidth: 0 }))
    .join('---\n');
}

function cronJob(base: KnowledgeBase, { notify }: Fleet): object {
  const variables = [base.key, notify].flatMap(variableOf);
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: `kbsync-${base.name}`, labels: { app: 'kbsync-fleet' } },
    spec: {
      schedule: crontabOf(base.schedule, base.name),
      timeZone: 'Etc/UTC',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 300,
      jobTemplate: {
        spec: {
          backoffLimit: 0,
          template: {
            spec: {
              restartPolicy: 'Never',
              terminationGracePeriodSeconds: 60,
              containers: [
                {
                  name: 'kbsync',
                  image: 'kbsync:latest',
                  args: ['fleet', '--once', base.name, '--file', '/fleet/fleet.yaml'],
                  env: variables.map((name) => ({
                    name,
                    valueFrom: { secretKeyRef: { name: 'kbsync-fleet', key: name } },
                  })),
                  volumeMounts: [
                    { name: 'fleet', mountPath: '/fleet/.kbsync-fleet' },
                    { name: 'settings', mountPath: '/fleet/fleet.yaml', subPath: 'fleet.yaml' },
                    { name: 'secrets', mountPath: '/etc/kbsync-fleet', readOnly: true },
                  ],
                },
              ],
              volumes: [
                { name: 'fleet', persistentVolumeClaim: { claimName: 'kbsync-fleet' } },
                { name: 'settings', configMap: { name: 'kbsync-fleet' } },
                { name: 'secrets', secret: { secretName: 'kbsync-fleet' } },
              ],
            },
          },
        },
      },
    },
  };
}

function variableOf(place: SecretPlace | undefined): readonly string[] {
  return place !== undefined && 'variable' in place ? [place.variable] : [];
}
