import { Command } from '@commander-js/extra-typings';
import { command, examples, type FlagsOf } from '../../flags.ts';

export type StateFlags = FlagsOf<typeof stateListCommand>;
export type StatePullFlags = FlagsOf<typeof statePullCommand>;
export type StatePushFlags = FlagsOf<typeof statePushCommand>;

/** Every variable of a shared state; the general help names the common ones. */
const STATE_ENVIRONMENT = `Environment of a state that machines share:
  KBSYNC_STATE                   its address; wins over \`state:\` in kbsync.yaml and may hold a password
  KBSYNC_STATE_ORIGIN            the one place where a password may go; needed if the address is in kbsync.yaml
  KBSYNC_STATE_USERNAME, KBSYNC_STATE_PASSWORD
                                 for HTTP and PostgreSQL
  KBSYNC_STATE_TOKEN             for HTTP, as Bearer
  KBSYNC_STATE_LOCK_ADDRESS, KBSYNC_STATE_UNLOCK_ADDRESS,
  KBSYNC_STATE_LOCK_METHOD, KBSYNC_STATE_UNLOCK_METHOD, KBSYNC_STATE_UPDATE_METHOD
                                 for servers that lock in another way than Terraform's defaults (GitLab, Gitea)`;

export function stateCommand() {
  return new Command('state')
    .description('look at what kbsync remembers, move it, and free its lock')
    .addHelpText('after', `\n${STATE_ENVIRONMENT}`);
}

export function stateListCommand() {
  return command(
    'list',
    'list the records that the state knows; does not ask the knowledge base',
  ).addHelpText('after', examples('kbsync state list'));
}

export function stateShowCommand() {
  return command('show', 'print what the state knows of a record')
    .argument('<key>', 'as kbsync state list prints it')
    .addHelpText('after', examples('kbsync state show article/install@en'));
}

export function stateRemoveCommand() {
  return command('rm', 'forget records; they stay in the knowledge base')
    .argument('<key...>', 'as kbsync state list prints them')
    .addHelpText('after', examples('kbsync state rm article/install@en'));
}

export function stateMoveCommand() {
  return command('mv', 'give a record another key, so another file has it')
    .argument('<from>', 'key, as kbsync state list prints it')
    .argument('<to>', 'key of the other file')
    .addHelpText('after', examples('kbsync state mv article/install@en article/setup/install@en'));
}

export function statePullCommand() {
  return command('pull', 'print the state, for a copy')
    .option('--previous', 'the state before the last save', false)
    .addHelpText('after', examples('kbsync state pull > state-copy.json'));
}

export function statePushCommand() {
  return command('push', 'move the state file to where `state:` says, or put a copy there')
    .argument('[file]', 'a copy made by kbsync state pull (default: the state file, which is renamed)')
    .option('--force', 'replace a state that is there already', false)
    .addHelpText('after', examples('kbsync state push', 'kbsync state push state-copy.json --force'));
}

export function stateUnlockCommand() {
  return command('unlock', 'take the lock away from a run that is dead')
    .argument('<id>', 'of the lock, as the message of the run that had to stop prints it')
    .addHelpText('after', examples('kbsync state unlock 4f1d9c0ab8e7f6055d1c2b3a49586776'));
}
