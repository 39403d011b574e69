// Builds sdk/src/client/clientRoutes.ts: what a client needs of each route, its path, its method and the shape of its reply,
// so that no program loads the schemas of the contract, and zod with them, to read a list.
import * as z from 'zod';
import { boardRoutes } from '#sdk/schemas/boards.ts';
import { chatPieceSchema } from '#sdk/schemas/chat.ts';
import { conversationRoutes } from '#sdk/schemas/conversations.ts';
import { fileRoutes } from '#sdk/schemas/files.ts';
import { listingRoutes } from '#sdk/schemas/listings.ts';
import { mailSchema, messageRoutes } from '#sdk/schemas/messages.ts';
import { notificationRoutes } from '#sdk/schemas/notifications.ts';
import { limitReachedSchema } from '#sdk/schemas/postingQuota.ts';
import { profileRoutes } from '#sdk/schemas/profiles.ts';
import { methodOf, type Route, type Routes } from '#sdk/schemas/route.ts';
import { routes } from '#sdk/schemas/routes.ts';
import { sessionRoutes } from '#sdk/schemas/sessions.ts';
import { requestRoutes } from '#sdk/schemas/walletRequest.ts';

export const clientRoutesFile = 'sdk/src/client/clientRoutes.ts';

/** Those of the gateway, by the file of their schemas. */
const groups: readonly (readonly [file: string, name: string, routes: Routes])[] = [
  ['boards', 'boardRoutes', boardRoutes],
  ['conversations', 'conversationRoutes', conversationRoutes],
  ['files', 'fileRoutes', fileRoutes],
  ['listings', 'listingRoutes', listingRoutes],
  ['messages', 'messageRoutes', messageRoutes],
  ['notifications', 'notificationRoutes', notificationRoutes],
  ['profiles', 'profileRoutes', profileRoutes],
  ['sessions', 'sessionRoutes', sessionRoutes],
  ['walletRequest', 'requestRoutes', requestRoutes],
];

/** What is no reply of its own: a refusal, and events of streams. */
const parts = { limitReached: limitReachedSchema, mail: mailSchema, chatPiece: chatPieceSchema };

/** As JSON Schema has it, as far as replies use it. */
type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
};

/** Objects that several replies hold, by the constant that holds their shape, in the order in which they are written. */
const shared = new Map<string, string>();

export function buildClientRoutes(header: string): string {
  shared.clear();
  const site = listRoutes(routes);
  const gateway = groups.map(([, , own]) => listRoutes(own)).join('');
  for (const [name, schema] of Object.entries(parts)) {
    const shape = buildShape(schema);
    if (shape !== name) shared.set(name, shape);
  }
  const types = groups.map(([, name]) => `typeof ${name}`).join(' & ');
  return [
    `${header} from the contract; do not edit.\n`,
    ...[...groups, ['routes', 'routes as siteRoutes'] as const].map(
      ([file, name]) => `import type { ${name} } from '../schemas/${file}.ts';\n`,
    ),
    `import type { ClientRoutes, Shape } from './replyShape.ts';\n\n`,
    ...[...shared].map(([name, shape]) => `export const ${name}: Shape = ${shape};\n`),
    `\n/** Of every site. */\nexport const routes: ClientRoutes<typeof siteRoutes> = {\n${site}};\n`,
    `\n/** Of a gateway alone. */\nexport const gatewayRoutes: ClientRoutes<${types}> = {\n${gateway}};\n`,
  ].join('');
}

function listRoutes(own: Routes): string {
  return Object.entries(own)
    .map(([name, route]) => `  ${name}: ${buildRoute(route)},\n`)
    .join('');
}

function buildRoute(route: Route): string {
  const { path, mayRepeat, reply } = route;
  const shape = reply.schema === null ? null : buildShape(reply.schema);
  const repeat = mayRepeat ? ', mayRepeat: true' : '';
  return `{ path: '${path}', method: '${methodOf(route).toUpperCase()}'${repeat}, reply: ${shape} }`;
}

function toJsonSchema(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Schema;
}

function buildShape(schema: z.ZodType): string {
  const json = toJsonSchema(schema);
  return shapeOf(json, json.$defs ?? {});
}

function shapeOf(schema: Schema, defs: Readonly<Record<string, Schema>>): string {
  const { $ref, type, pattern = '', properties = {}, required = [], items } = schema;
  if ($ref !== undefined) return refer($ref.split('/').at(-1) ?? '', defs);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return unionOf(options, defs);
  if (Array.isArray(type))
    return unionOf(
      type.map((one: string) => ({ ...schema, type: one })),
      defs,
    );
  if (type === 'array') return `[${items === undefined ? "'any'" : shapeOf(items, defs)}]`;
  if (type === 'object') {
    const fields = Object.entries(properties).map(([name, of]) => {
      const key = required.includes(name) ? name : `'${name}?'`;
      return `${key}: ${shapeOf(of, defs)}`;
    });
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  if (type === 'integer' || type === 'number') return `'number'`;
  if (type === 'boolean') return `'boolean'`;
  return type === 'string' ? `'${kindOf(pattern)}'` : `'any'`;
}

function kindOf(pattern: string): string {
  if (pattern.includes('fA-F]{40}')) return 'address';
  if (pattern.startsWith('^0x')) return 'hex';
  const fits = (text: string) => new RegExp(pattern || '^$').test(text);
  if (!fits('0') || !fits('12') || fits('a')) return 'text';
  return fits('-12') ? 'integer' : 'amount';
}

function refer(id: string, defs: Readonly<Record<string, Schema>>): string {
  const target = defs[id];
  if (target === undefined) throw new Error(`The contract has no ${id}.`);
  const shape = shapeOf(target, defs);
  if (!shape.startsWith('{ ')) return shape;
  const name = `${id[0]?.toLowerCase()}${id.slice(1)}`;
  if ((shared.get(name) ?? shape) !== shape) throw new Error(`Two objects are called ${id}.`);
  shared.set(name, shape);
  return name;
}

/** A value or null as such; of objects, the fields that all of them have alike, since a newer server may add one. */
function unionOf(options: readonly Schema[], defs: Readonly<Record<string, Schema>>): string {
  const others = options.filter(({ type }) => type !== 'null');
  const merged = mergeOf(others, defs);
  return others.length < options.length ? `[${merged}, null]` : merged;
}

function mergeOf(options: readonly Schema[], defs: Readonly<Record<string, Schema>>): string {
  const [first, ...rest] = options;
  if (first === undefined) return `'any'`;
  if (rest.length === 0) return shapeOf(first, defs);
  const whole = options.map((one) => (one.$ref ? (defs[one.$ref.split('/').at(-1) ?? ''] ?? one) : one));
  if (whole.some(({ type }) => type !== 'object')) {
    const shapes = new Set(whole.map((one) => shapeOf(one, defs)));
    return shapes.size === 1 ? ([...shapes][0] ?? '') : `'any'`;
  }
  const [one, ...others] = whole.map(({ properties = {}, required = [] }) =>
    Object.fromEntries(required.map((name) => [name, shapeOf(properties[name] ?? {}, defs)])),
  );
  const common = Object.entries(one ?? {}).filter(([name, shape]) =>
    others.every((other) => other[name] === shape),
  );
  const fields = common.map(([name, shape]) => `${name}: ${shape}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
