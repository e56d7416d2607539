/** Lua scripts. Redis runs each of them atomically. */
import type { Redis } from 'ioredis';

/** Who holds a lock or pad: this process, nobody, or another process that is alive. */
export type Held = 'mine' | 'nobody' | 'other';

/** A Lua function: true if the process in a token `<process>:<number>` still has its lease. */
const isAlive = `
local function isAlive(token, leases)
  return redis.call('EXISTS', leases .. string.match(token, '^[^:]+')) == 1
end
`;

/**
 * A Lua function: true if the lease was renewed by this connection, see `Link.epoch`. Otherwise the command is of an
 * earlier connection, and its process does not wait for the answer any more.
 */
const isCurrent = `
local function isCurrent(lease, epoch)
  return redis.call('GET', lease) == epoch
end
`;

type Value = string | number;

/** `method`, which is only a type: the method of the client that runs the script. Its first parameters are the keys. */
interface Script<Method> {
  lua: string;
  /** `undefined`: the first parameter of the method says how many there are. */
  numberOfKeys: number | undefined;
  method?: Method;
}

const script =
  <Method>(numberOfKeys?: number) =>
  (lua: TemplateStringsArray, ...functions: string[]): Script<Method> => ({
    lua: String.raw({ raw: lua }, ...functions),
    numberOfKeys,
  });

const scripts = {
  /**
   * Renews the lease of the process ARGV[2] for ARGV[1] ms. ARGV[3]: the generation that the process knows, or ''.
   * ARGV[4]: the name of a new one. ARGV[5]: after a loss of data, ms in which pads that nobody seems to have cannot be
   * claimed. ARGV[6]: the epoch. A replica that takes over has new data too: it may lack what was written last.
   */
  renewLease: script<
    (
      lease: string,
      sequence: string,
      processes: string,
      generation: string,
      settling: string,
      ...input: Value[]
    ) => Promise<[had: number, sequence: number, generation: string]>
  >(5)`
local epoch = redis.call('GET', KEYS[1])
if epoch and tonumber(epoch) > tonumber(ARGV[6]) then return redis.error_reply('sent by an earlier connection') end
local had = epoch and 1 or 0
redis.call('SET', KEYS[1], ARGV[6], 'PX', ARGV[1])
redis.call('SADD', KEYS[3], ARGV[2])
local info = redis.pcall('INFO', 'server')
local server = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
local generation = redis.call('GET', KEYS[4])
if not generation or string.match(generation, '[^:]*$') ~= server then
  generation = ARGV[4] .. ':' .. server
  redis.call('SET', KEYS[4], generation)
  redis.call('SET', KEYS[5], 'new', 'PX', ARGV[5])
end
if ARGV[3] ~= '' and ARGV[3] ~= generation then redis.call('SET', KEYS[5], 'settling', 'XX', 'KEEPTTL') end
return {had, tonumber(redis.call('GET', KEYS[2]) or '0'), generation}`,
  /** How many processes have a lease. ARGV: beginning of the names of leases. */
  countLeases: script<(processes: string, leases: string) => Promise<number>>(1)`
local count = 0
for _, process in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  count = count + redis.call('EXISTS', ARGV[1] .. process)
end
return count`,
  /** Ends the lease of the process ARGV[1], which has sent all its messages. `-` tells this to `forgetEnded`. */
  endLease: script<(lease: string, processes: string, process: string) => Promise<number>>(2)`
redis.call('DEL', KEYS[1])
redis.call('SREM', KEYS[2], ARGV[1])
return redis.call('SADD', KEYS[2], '-' .. ARGV[1])`,
  /**
   * Forgets the processes that have no lease any more. Returns how many. Sends ARGV[2] to all processes if one of them
   * may have died before it had told what it has written. ARGV: beginning of the names of leases, message.
   */
  forgetEnded: script<
    (processes: string, sequence: string, channel: string, leases: string, message: string) => Promise<number>
  >(3)`
local count, died = 0, false
for _, process in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', ARGV[1] .. process) == 0 then
    redis.call('SREM', KEYS[1], process)
    count = count + 1
    died = died or string.sub(process, 1, 1) ~= '-'
  end
end
if died then redis.call('PUBLISH', KEYS[3], redis.call('INCR', KEYS[2]) .. ' ' .. ARGV[2]) end
return count`,
  /**
   * Takes a lock for the token ARGV[1] unless a living process has it. KEYS[3]: the lease of this process. ARGV: token,
   * beginning of the names of leases, expiry in ms, '1' to wait in the queue, epoch, '1' for a lock that processes take
   * again after a loss of data. Returns 1 when the token has the lock, -1 when the process cannot take locks.
   */
  acquireLock: script<
    (lock: string, waiters: string, lease: string, settling: string, ...input: Value[]) => Promise<number>
  >(4)`${isAlive}${isCurrent}
if not isCurrent(KEYS[3], ARGV[5]) then return -1 end
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then return 1 end
if holder and isAlive(holder, ARGV[2]) then
  if ARGV[4] == '1' then
    redis.call('RPUSH', KEYS[2], ARGV[1])
    redis.call('PEXPIRE', KEYS[2], ARGV[3])
  end
  return 0
end
if not holder and ARGV[6] == '1' and redis.call('GET', KEYS[4]) == 'settling' then return 0 end
redis.call('LREM', KEYS[2], 0, ARGV[1])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return 1`,
  /**
   * Releases a lock, or leaves its queue. Hands the lock to the next living process, which gets a message. ARGV: token,
   * beginning of the names of leases, expiry in ms, beginning of the channels of processes, message with %s for the
   * token.
   */
  releaseLock: script<(lock: string, waiters: string, ...input: Value[]) => Promise<number>>(2)`${isAlive}
redis.call('LREM', KEYS[2], 0, ARGV[1])
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local waiting = redis.call('LPOP', KEYS[2])
while waiting do
  if isAlive(waiting, ARGV[2]) then
    redis.call('SET', KEYS[1], waiting, 'PX', ARGV[3])
    redis.call('PUBLISH', ARGV[4] .. string.match(waiting, '^[^:]+'), '{"granted":"' .. waiting .. '"}')
    return 1
  end
  waiting = redis.call('LPOP', KEYS[2])
end
redis.call('DEL', KEYS[1])
return 1`,
  /** For each key, with the token that should be its value in ARGV[2…]: 1 mine, 0 nobody, 2 other. Renews mine. */
  verifyHeld: script<(count: number, ...input: Value[]) => Promise<number[]>>()`
local found = {}
for index, key in ipairs(KEYS) do
  local value = redis.call('GET', key)
  if value == ARGV[index + 1] then
    redis.call('PEXPIRE', key, ARGV[1])
    found[index] = 1
  else
    found[index] = value and 2 or 0
  end
end
return found`,
  /**
   * Claims a pad for a process. KEYS[4]: its lease. ARGV: this process, beginning of the names of leases, expiry in ms,
   * a process that has ended, the generation that this process knows, '1' if it has the pad already, the epoch.
   */
  claimPad: script<
    /**
     * Answers '' or this process when the pad is claimed, or who has it; '?' before a process without a lease, which
     * may have ended. '!': Redis has lost its data and others may claim the pad again, or this process has no lease.
     */
    (pad: string, generation: string, settling: string, lease: string, ...input: Value[]) => Promise<string>
  >(4)`${isCurrent}
if not isCurrent(KEYS[4], ARGV[7]) then return '!' end
if redis.call('GET', KEYS[2]) ~= ARGV[5] then return '!' end
local holder = redis.call('GET', KEYS[1])
if not holder and ARGV[6] ~= '1' and redis.call('GET', KEYS[3]) == 'settling' then return '!' end
if holder and holder ~= ARGV[1] then
  if redis.call('EXISTS', ARGV[2] .. holder) == 1 then return holder end
  if holder ~= ARGV[4] then return '?' .. holder end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return holder == ARGV[1] and holder or ''`,
  /** Which living process has a pad; '' for none. ARGV: beginning of the names of leases. */
  holderOfPad: script<(pad: string, leases: string) => Promise<string>>(1)`
local holder = redis.call('GET', KEYS[1])
if holder and redis.call('EXISTS', ARGV[1] .. holder) == 1 then return holder end
return ''`,
  /** Lets go of a pad if the process ARGV[1] has it. KEYS[2]: its lease. ARGV[2]: epoch. */
  releasePad: script<(pad: string, lease: string, process: string, epoch: number) => Promise<number>>(
    2,
  )`${isCurrent}
if not isCurrent(KEYS[2], ARGV[2]) then return redis.error_reply('without a lease of this connection') end
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`,
  /** Sends ARGV[1] to all processes, with the next number before it. */
  publishNumbered: script<(sequence: string, channel: string, message: string) => Promise<number>>(2)`
local number = redis.call('INCR', KEYS[1])
redis.call('PUBLISH', KEYS[2], number .. ' ' .. ARGV[1])
return number`,
  /**
   * Keeps ARGV[1] for ARGV[2] ms. The requester KEYS[2] has at most ARGV[3] values; its oldest goes first. ARGV[4]: the
   * beginning of the names of kept values, which KEYS[2] has without it.
   */
  keepValue: script<(kept: string, keptBy: string, ...input: Value[]) => Promise<number>>(2)`
local name = string.sub(KEYS[1], string.len(ARGV[4]) + 1)
local time = redis.call('TIME')
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', KEYS[2], time[1] * 1000 + math.floor(time[2] / 1000), name)
redis.call('PEXPIRE', KEYS[2], ARGV[2])
while redis.call('ZCARD', KEYS[2]) > tonumber(ARGV[3]) do
  redis.call('DEL', ARGV[4] .. redis.call('ZPOPMIN', KEYS[2])[1])
end
return 1`,
};

/** The methods that run the scripts. */
export type Scripts = {
  [Name in keyof typeof scripts]: (typeof scripts)[Name] extends Script<infer Method> ? Method : never;
};

/** Makes the scripts methods of the client. */
export function withScripts(client: Redis): Redis & Scripts {
  for (const [name, { lua, numberOfKeys }] of Object.entries(scripts)) {
    client.defineCommand(name, { lua, numberOfKeys });
  }
  return client as Redis & Scripts;
}

const states: readonly Held[] = ['nobody', 'mine', 'other'];
const batchSize = 500;

/** Finds out who has each of these keys, and extends the expiry of those that have the given value. */
export async function verifyHeld(
  client: Scripts,
  held: readonly (readonly [key: string, value: string])[],
  expiry: number,
): Promise<Held[]> {
  const found: Held[] = [];
  for (let start = 0; start < held.length; start += batchSize) {
    const batch = held.slice(start, start + batchSize);
    const [names, values] = [batch.map(([key]) => key), batch.map(([, value]) => value)];
    const answer = await client.verifyHeld(batch.length, ...names, expiry, ...values);
    found.push(...answer.map((state) => states[state] ?? 'other'));
  }
  return found;
}
