import { command, examples, wholeNumber, type FlagsOf } from '../../flags.ts';

export type DevFlags = FlagsOf<typeof devCommand>;

export function devCommand() {
  return command('dev', 'preview the files as pages while you write: service, site and watch in one')
    .option('--port <n>', 'port; 0 takes a free one', wholeNumber(0, 65_535), 4321)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--db <file>', 'database of the preview (default: .kbsync/dev.db)')
    .option('--open', 'open the page in a browser (default: in a terminal outside CI)')
    .option('--no-open', 'do not open a browser')
    .option('--no-live-reload', 'do not reload pages when a file changes')
    .option('--no-overlay', 'show problems only in the terminal')
    .option('--poll', 'look at every file each second: for shared folders that do not report changes', false)
    .addHelpText('after', examples('kbsync dev', 'kbsync dev --port 0 --no-open'));
}
