import { expect } from 'vitest';
import { join } from 'node:path';
import { variableOf, type FleetRig } from './fleet-rig.ts';

const ORIGINS: Readonly<Record<string, string>> = {
  billing: 'https://help.acme.example',
  support: 'https://support.acme.example',
};

/**
 * Plays a part of docs/guides/fleet.md: its first file is the rig's fleet.yaml, with addresses of this machine, and each
 * command prints what stands below it, but for times and the order of runs. Returns the commands.
 */
export async function playGuide(page: string, rig: FleetRig): Promise<readonly string[]> {
  const [, yaml] = /^```yaml\n([\s\S]*?)^```/m.exec(page) ?? [];
  if (yaml !== undefined) await rig.write('fleet.yaml', onThisMachine(yaml, rig));
  const commands: string[] = [];
  for (const [, block = ''] of page.matchAll(/^```console\n([\s\S]*?)^```/gm)) {
    for (const [, command = '', shown = ''] of block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      commands.push(command);
      const { stdout, stderr } = await rig.run(...command.replace(/^kbsync /, '').split(' '));
      expect(`${command}\n${plain(stdout + stderr)}`).toBe(`${command}\n${plain(shown)}`);
    }
  }
  return commands;
}

export function onThisMachine(yaml: string, rig: FleetRig): string {
  let text = yaml;
  for (const [name, origin] of Object.entries(ORIGINS)) {
    text = text
      .replace(`git@github.com:acme/${name}-docs.git`, join(rig.root, 'repos', name))
      .replace(origin, rig.proxies.get(name)?.url ?? origin)
      .replace(`${name.toUpperCase()}_KEY`, variableOf(name));
  }
  return text;
}

function plain(text: string): string {
  return text
    .replaceAll(/\(\d[\d.:]* (?:s|min)\)$/gm, '(N s)')
    .split('\n')
    .sort()
    .join('\n');
}
