import { testHabits } from './support/play.ts';

testHabits('desks', ['author', 'editor', 'conflict', 'rename', 'prune', 'clone', 'deathEdit']);
