// Finds what can be dropped from a contract or calculated otherwise, and writes the contract so that a number picks one
// of these at run time.
import { type ByHand, byHand as byHandNow } from './byHand.ts';
import { childrenOf, endOf, isNode, type Node, parseSolidity, startOf, walk } from './syntax.ts';

export type Mutant = {
  readonly number: number;
  readonly contract: string;
  /** The function it is in. */
  readonly where: string;
  /**
   * What it does: `check` takes a condition as true (a require, or one side of an `and`), `branch` takes the condition of an
   * `if` as false; `modifier`, `effect`, `call` and `event` leave out what they name. `boundary` moves a comparison by one
   * (`>=` to `>`), `operator` adds instead of subtracting and rounds down instead of up, `swap` swaps two arguments of the
   * same type, and `flip` gives a call the other truth value. `hand` is one of byHand.ts.
   */
  readonly kind: string;
  /** The piece of source it drops. */
  readonly text: string;
};

export type Source = { readonly name: string; readonly text: string };

type Chosen = Readonly<Record<string, readonly ByHand[]>>;

type Insertion = { readonly at: number; readonly text: string; readonly closes?: boolean };

/** What takes the place of an operator. */
const otherOperators: Readonly<Record<string, readonly [kind: string, other: string]>> = {
  '>=': ['boundary', '>'],
  '>': ['boundary', '>='],
  '<=': ['boundary', '<'],
  '<': ['boundary', '<='],
  '+': ['operator', '-'],
  '-': ['operator', '+'],
};

/** Calls that have two arguments of one type, which can be swapped, and the place of the first of them. */
const swappable: Readonly<Record<string, number>> = { slashBond: 0, _payBonds: 3 };

/** Modifiers that our contracts inherit: what takes their place, so that it can be dropped at one use alone. */
const inherited: Readonly<Record<string, (isOff: string) => string>> = {
  onlyOwner: (isOff) => `if (!${isOff}) _checkOwner(); _;`,
  nonReentrant: (isOff) => `if (!${isOff}) _enterGuard(); _; if (!${isOff}) _leaveGuard();`,
};

/** Answers the mutants of all sources, numbered from 1, and the sources that ask which of them is chosen. */
export function mutate(
  sources: readonly Source[],
  byHand: Chosen = byHandNow,
): { mutants: Mutant[]; sources: Source[] } {
  const trees = sources.map(({ name, text }) => parseSolidity(name, text));
  const contracts = trees.map((tree) =>
    nodesOf(tree.nodes).filter(
      ({ nodeType, contractKind }) => nodeType === 'ContractDefinition' && contractKind !== 'interface',
    ),
  );
  const contractNamed = new Map(contracts.flat().map((contract) => [String(contract.name), contract]));
  const variablesOf = (contract: Node | undefined): string[] => [
    ...nodesOf(contract?.nodes)
      .filter(({ nodeType }) => nodeType === 'VariableDeclaration')
      .map(({ name }) => String(name)),
    ...nodesOf(contract?.baseContracts).flatMap(({ baseName }) =>
      variablesOf(contractNamed.get(String((baseName as Node).name))),
    ),
  ];
  const mutants: Mutant[] = [];
  const mutated = sources.map((source, place) => ({
    name: source.name,
    text: mutateSource(source, contracts[place] as Node[], variablesOf, mutants, byHand),
  }));
  return { mutants, sources: mutated };
}

function mutateSource(
  { name: file, text: source }: Source,
  contracts: readonly Node[],
  variablesOf: (contract: Node) => string[],
  mutants: Mutant[],
  byHand: Chosen,
): string {
  const bytes = Buffer.from(source);
  const textOf = (node: Node) => bytes.subarray(startOf(node), endOf(node)).toString();
  const insertions: Insertion[] = [];

  for (const contract of contracts) {
    const variables = new Set(variablesOf(contract));
    for (const member of nodesOf(contract.nodes)) {
      if (member.nodeType === 'FunctionDefinition') mutateFunction(contract, member, variables);
    }
  }
  return applyInsertions(bytes, insertions);

  function mutateFunction(contract: Node, definition: Node, variables: ReadonlySet<string>) {
    const isConstructor = definition.kind === 'constructor';
    const add = (kind: string, node: Node) => {
      const number = mutants.length + 1;
      const text = textOf(node).replace(/\s+/g, ' ');
      const where = isConstructor ? 'constructor' : String(definition.name);
      mutants.push({ number, contract: String(contract.name), where, kind, text });
      return `Mutant.isOff(${number})`;
    };
    // What a constructor writes are addresses of other parts; without them there is no market to test.
    const onlyChecks = isConstructor;

    if (!isConstructor) for (const use of nodesOf(definition.modifiers)) dropModifier(contract, use, add);
    if (!isNode(definition.body)) return;
    const innerAnds = new Set<Node>();
    walk(definition.body, (node) => {
      if (!node.nodeType.endsWith('Statement'))
        for (const [where, expression, replacement] of byHand[String(contract.name)] ?? [])
          if (where === definition.name && expression === textOf(node))
            wrap(node, `(${add('hand', node)} ? (${replacement}) : (`, '))');
      if (isRequire(node)) {
        const [condition] = nodesOf((node.expression as Node).arguments);
        if (condition !== undefined && !isAnd(condition))
          wrap(condition, `${add('check', condition)} || (`, ')');
      } else if (isAnd(node) && !innerAnds.has(node)) {
        for (const side of sidesOf(node, innerAnds)) wrap(side, `(${add('check', side)} || (`, '))');
      } else if (node.nodeType === 'BinaryOperation' && !onlyChecks) {
        changeOperator(node, add);
      } else if (node.nodeType === 'FunctionCall' && !onlyChecks) {
        changeCall(node, add);
      } else if (node.nodeType === 'IfStatement' && !onlyChecks && !isGuardOfOne(node, variables)) {
        wrap(node.condition as Node, `!${add('branch', node.condition as Node)} && (`, ')');
      } else if (!onlyChecks) {
        const kind = kindOfStatement(node, variables);
        if (kind !== undefined) wrapStatement(node, add(kind, node));
      }
    });
  }

  function changeOperator(node: Node, add: (kind: string, node: Node) => string) {
    const [kind, other] = otherOperators[String(node.operator)] ?? [];
    if (kind === undefined || other === undefined) return;
    const [left, right] = [textOf(node.leftExpression as Node), textOf(node.rightExpression as Node)];
    wrap(node, `(${add(kind, node)} ? (${left} ${other} ${right}) : (`, '))');
  }

  /** Rounds down instead of up, takes the larger of two instead of the smaller, swaps two arguments or flips a literal one. */
  function changeCall(node: Node, add: (kind: string, node: Node) => string) {
    const called = node.expression as Node;
    const name = String(called.nodeType === 'MemberAccess' ? called.memberName : called.name);
    const given = nodesOf(node.arguments);
    for (const argument of given.filter(({ kind }) => kind === 'bool'))
      wrap(argument, `(${add('flip', node)} != `, ')');
    const at = swappable[name];
    const [left, right] = at === undefined ? given.slice(-2) : given.slice(at, at + 2);
    if (left === undefined || right === undefined) return;
    const other = { min: 'max', max: 'min' }[name];
    if (name === 'ceilDiv') {
      wrap(node, `(${add('operator', node)} ? (${textOf(left)}) / (${textOf(right)}) : (`, '))');
    } else if (other !== undefined) {
      wrap(node, `(${add('operator', node)} ? Math.${other}(${given.map(textOf).join(', ')}) : (`, '))');
    } else if (at !== undefined) {
      const isOff = add('swap', node);
      wrap(left, `(${isOff} ? (${textOf(right)}) : (`, '))');
      wrap(right, `(${isOff} ? (${textOf(left)}) : (`, '))');
    }
  }

  function wrap(node: Node, before: string, after: string) {
    insertions.push({ at: startOf(node), text: before }, { at: endOf(node), text: after, closes: true });
  }

  function wrapStatement(node: Node, isOff: string) {
    const end = bytes.indexOf(';', endOf(node)) + 1;
    insertions.push({ at: startOf(node), text: `{ if (!${isOff}) ` }, { at: end, text: ' }', closes: true });
  }

  function dropModifier(contract: Node, use: Node, add: (kind: string, node: Node) => string) {
    const path = use.modifierName as Node;
    const name = String(path.name);
    const isOff = add('modifier', use);
    const ownName = `${name}_${mutants.length}`;
    const own = nodesOf(contract.nodes).find(
      (node) => node.nodeType === 'ModifierDefinition' && node.name === name,
    );
    const parameters = own === undefined ? '()' : textOf(own.parameters as Node);
    const body = own === undefined ? inherited[name]?.(isOff) : guardedBody(own, isOff);
    if (body === undefined) throw new Error(`${file}: nothing is known about the modifier ${name}.`);
    insertions.push({ at: endOf(path), text: ownName.slice(name.length) });
    const opening = bytes.indexOf('{', startOf(contract));
    insertions.push({ at: opening + 1, text: `\n    modifier ${ownName}${parameters} { ${body} }` });
  }

  function guardedBody(definition: Node, isOff: string): string {
    const statements = nodesOf((definition.body as Node).statements);
    if (statements.at(-1)?.nodeType !== 'PlaceholderStatement')
      throw new Error(`${file}: the modifier ${definition.name} does something after the function.`);
    const checks = statements.slice(0, -1).map((statement) => `${textOf(statement)};`);
    return `if (!${isOff}) { ${checks.join(' ')} } _;`;
  }
}

function kindOfStatement(node: Node, variables: ReadonlySet<string>): string | undefined {
  if (node.nodeType === 'EmitStatement') return 'event';
  if (node.nodeType !== 'ExpressionStatement') return undefined;
  const expression = node.expression as Node;
  if (expression.nodeType === 'FunctionCall') return 'call';
  const target = expression.nodeType === 'Assignment' ? expression.leftHandSide : expression.subExpression;
  return isNode(target) && isRemembered(target, variables) ? 'effect' : undefined;
}

/** Whether something lives on after the statement other than in a local variable. */
function isRemembered(target: Node, variables: ReadonlySet<string>): boolean {
  if (target.nodeType === 'Identifier') return variables.has(String(target.name));
  if (target.nodeType === 'TupleExpression')
    return childrenOf(target).some((part) => isRemembered(part, variables));
  return target.nodeType === 'MemberAccess' || target.nodeType === 'IndexAccess';
}

/** Whether dropping the branch would be the same as dropping the one statement in it. */
function isGuardOfOne({ trueBody, falseBody }: Node, variables: ReadonlySet<string>): boolean {
  return isNode(trueBody) && !isNode(falseBody) && kindOfStatement(trueBody, variables) !== undefined;
}

function isRequire(node: Node): boolean {
  if (node.nodeType !== 'ExpressionStatement' || !isNode(node.expression)) return false;
  const { nodeType, expression } = node.expression;
  return nodeType === 'FunctionCall' && isNode(expression) && expression.name === 'require';
}

function isAnd(node: Node): boolean {
  return node.nodeType === 'BinaryOperation' && node.operator === '&&';
}

/** What stands between the `and`s of a chain, from left to right; nested `and`s are noted as done. */
function sidesOf(node: Node, innerAnds: Set<Node>): Node[] {
  return ([node.leftExpression, node.rightExpression] as Node[]).flatMap((side) => {
    if (!isAnd(side)) return [side];
    innerAnds.add(side);
    return sidesOf(side, innerAnds);
  });
}

function nodesOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Outer nodes are visited first: at one place what opens stands in the order of visits, what closes against it. */
function applyInsertions(bytes: Buffer, insertions: readonly Insertion[]): string {
  const places = [...new Set(insertions.map(({ at }) => at))].sort((left, right) => left - right);
  let result = '';
  let last = 0;
  for (const place of places) {
    const here = insertions.filter(({ at }) => at === place);
    const texts = [...here.filter(({ closes }) => closes).reverse(), ...here.filter(({ closes }) => !closes)];
    result += bytes.subarray(last, place).toString() + texts.map(({ text }) => text).join('');
    last = place;
  }
  return result + bytes.subarray(last).toString();
}
