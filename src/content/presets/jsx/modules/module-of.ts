import { nodesOf, parsedModule } from '../../estree.ts';
import type { Node } from '../../estree.ts';
import { astroComponent, parsedAstro } from '../astro.ts';
import { jsonValue, UNKNOWN } from '../values.ts';
import type { Value } from '../values.ts';
import { parsedVue, vueComponent } from '../vue.ts';
import { importsOf } from './declarations.ts';
import { fileScope } from './file-scope.ts';
import type { Files } from './module-files.ts';
import type { Module, Repository } from './module.ts';
import { scriptModule } from './script-module.ts';
import type { Surroundings } from './script-module.ts';

export interface ModuleFiles extends Surroundings, Pick<Repository, 'statementsOf'> {
  readonly files: Files;
}

/** What a file of this text exports; its ending says how it is read. Undefined: it cannot be read so. */
export function moduleOf(file: string, text: string, around: ModuleFiles): Module | undefined {
  const { files, world, statementsOf } = around;
  if (file.endsWith('.json')) return jsonModule(text);
  world.budget.steps -= Math.floor(text.length / 50);
  const scopeOf = (script: readonly Node[]) => fileScope(file, { names: importsOf(script) }, around);
  if (file.endsWith('.astro')) {
    const parsed = files.parsed(file, text, parsedAstro);
    return parsed === undefined ? undefined : ofDefault(astroComponent(parsed, scopeOf(parsed.script)));
  }
  if (file.endsWith('.vue')) {
    const parsed = files.parsed(file, text, parsedVue);
    return parsed === undefined ? undefined : ofDefault(vueComponent(parsed, scopeOf(parsed.script)));
  }
  if (file.endsWith('.mdx')) return scriptModule(bodyOf(statementsOf(text)), file, around);
  const program = files.parsed(file, text, parsedModule);
  return program === undefined ? undefined : scriptModule(nodesOf(program, 'body'), file, around);
}

/** The nodes of statements that stand apart, as those of a page do. */
export function bodyOf(statements: readonly string[]): readonly Node[] {
  return statements.flatMap((statement) => {
    const program = parsedModule(statement);
    return program === undefined ? [] : nodesOf(program, 'body');
  });
}

/** A file that is one component. */
function ofDefault(component: Value): Module {
  return { value: (name) => (name === 'default' ? component : UNKNOWN) };
}

function jsonModule(text: string): Module | undefined {
  try {
    return ofDefault(jsonValue(JSON.parse(text)));
  } catch {
    return undefined;
  }
}
