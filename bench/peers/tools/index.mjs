import { markdownConfluence } from './confluence.mjs';
import { contentfulAsItIs, contentfulUnlimited } from './contentful.mjs';
import { kbsyncInMemory, kbsyncOnDisk } from './kbsync.mjs';
import { rcloneAsItIs, rcloneAtOnce } from './rclone.mjs';
import { rdmeNumbered, rdmeRefused } from './rdme.mjs';

/**
 * In the order of the tables. Each has `name` and `note`, what it is measured for (`hasCosts`, `faults`), `create` (what
 * the gate counts as a create), `ready()` (its version, or an Error that says why it cannot run) and `start()`: its own
 * server, empty, and the command of a sync.
 */
export const TOOLS = [
  kbsyncOnDisk,
  kbsyncInMemory,
  rcloneAsItIs,
  rcloneAtOnce,
  rdmeNumbered,
  rdmeRefused,
  markdownConfluence,
  contentfulAsItIs,
  contentfulUnlimited,
];
