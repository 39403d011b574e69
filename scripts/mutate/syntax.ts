// The syntax tree of a Solidity file, as the compiler's parser gives it.
import solc from 'solc';

/** A node of the tree; its other fields depend on its type. */
export type Node = {
  readonly nodeType: string;
  /** Offset and length in bytes. */
  readonly src: string;
  readonly [field: string]: unknown;
};

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly sources: Readonly<Record<string, { readonly ast: Node }>>;
};

export function parseSolidity(name: string, text: string): Node {
  const input = {
    language: 'Solidity',
    sources: { [name]: { content: text } },
    settings: { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } },
  };
  // Only the file itself is of interest, so whatever it imports may be empty.
  const output: Output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: () => ({ contents: '' }) }),
  );
  const error = output.errors?.find(({ severity }) => severity === 'error');
  const ast = output.sources[name]?.ast;
  if (error !== undefined || ast === undefined)
    throw new Error(error?.formattedMessage ?? `${name} was not parsed.`);
  return ast;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'nodeType' in value;
}

/** The nodes right below a node, in the order of the source. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .sort((left, right) => startOf(left) - startOf(right));
}

export function walk(node: Node, visit: (node: Node) => void) {
  visit(node);
  for (const child of childrenOf(node)) walk(child, visit);
}

export function startOf(node: Node): number {
  return Number(node.src.split(':')[0]);
}

export function endOf(node: Node): number {
  return startOf(node) + Number(node.src.split(':')[1]);
}
