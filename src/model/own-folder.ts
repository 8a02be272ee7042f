/** The folder of states, caches and trash. */
export const OWN_FOLDER = '.kbsync';

/** Its `.gitignore`, written by whoever makes the folder: a cache must not be committed before the first sync. */
export const OWN_FOLDER_IGNORES = `# Written by kbsync. A state may be committed; its lock, journal, older generation, cache and trash never.
*
!.gitignore
!state.json
!state.*.json
*.prev.json
`;
