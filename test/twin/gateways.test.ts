import { testHabits } from './support/play.ts';

testHabits('gateways', ['author', 'deathEdit', 'clone', 'prune']);
