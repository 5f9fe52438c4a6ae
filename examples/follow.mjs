// Follows the clock on the system bus, also over restarts of the service, and prints what it shows whenever that changes.
// Needs the kept successor of dbus-next: npm install @jellybrick/dbus-next
// Nanoseconds are of the type BigInt, because a number of JavaScript is exact only up to 2^53.

import * as dbus from '@jellybrick/dbus-next';

const SERVICE = 'org.chessclock.Clock1';
const PATH = '/org/chessclock/Clock1';
const BUS = 'org.freedesktop.DBus';

const bus = dbus.systemBus();
// The unique bus name of the process that owns the service's name; empty if there is none.
let owner = '';
// The latest state of the service; null until it was read.
let state = null;
// The monotonic clock of this machine minus that of the service's machine, in nanoseconds.
let ahead = 0n;
let reading = false;

async function call(destination, path, iface, member, signature = '', ...body) {
  const answer = await bus.call(new dbus.Message({ destination, path, interface: iface, member, signature, body }));
  return answer.body;
}

function plain(variants) {
  return Object.fromEntries(Object.entries(variants).map(([key, variant]) => [key, variant.value]));
}

// Reads the state of the present owner. A state with a higher sequence number, which a signal has brought meanwhile, is kept.
async function read() {
  if (reading || owner === '') return;
  reading = true;
  const asked = owner;
  try {
    const [variants] = await call(asked, PATH, SERVICE, 'GetState');
    const [monotonic] = await call(asked, PATH, SERVICE, 'GetTimebase');
    const fresh = plain(variants);
    if (asked === owner && (state === null || fresh.Sequence > state.Sequence)) state = fresh;
    ahead = process.hrtime.bigint() - monotonic;
  } catch {
    // Either the service has gone, which a signal reports, or it was slow, and the next call of read() asks again.
  }
  reading = false;
}

const least = (a, b) => (a < b ? a : b);
const positive = value => (value > 0n ? value : 0n);

// Both main numbers at the instant `now`: the section "How to show a running clock" of docs/dbus.rst.
function at(now) {
  const numbers = { White: state.WhiteRemainingNSec, Black: state.BlackRemainingNSec };
  const side = { white: 'White', black: 'Black' }[state.Running];
  if (!side || state[`${side}OutOfTime`]) return numbers;
  let used = positive(now - state.AtNSec - state[`${side}DelayNSec`]);
  if (state.Counting === 'up') {
    const limit = state[`${side}LimitNSec`];
    numbers[side] += used;
    if (limit !== -1n) numbers[side] = least(numbers[side], limit);
    return numbers;
  }
  used = least(used, numbers[side]);
  numbers[side] -= used;
  if (state.Counting === 'hourglass') numbers[side === 'White' ? 'Black' : 'White'] += used;
  return numbers;
}

// A time as the face shows it: rounded up, with tenths below 20 s.
function face(nsec) {
  if (nsec <= 19_900_000_000n) {
    const tenths = (nsec + 99_999_999n) / 100_000_000n;
    return `${tenths / 10n}.${tenths % 10n}`;
  }
  const seconds = (nsec + 999_999_999n) / 1_000_000_000n;
  const two = number => String(number).padStart(2, '0');
  const [h, m, s] = [seconds / 3600n, seconds / 60n % 60n, seconds % 60n];
  return h > 0n ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

let printed = null;
function show() {
  let line = 'no clock service';
  if (state !== null) {
    const { White, Black } = at(process.hrtime.bigint() - ahead);
    line = `White ${face(White)}  Black ${face(Black)}  ${state.Phase}`;
  }
  if (line !== printed) console.log(printed = line);
}

bus.on('message', message => {
  if (message.member === 'NameOwnerChanged' && message.sender === BUS && message.body[0] === SERVICE) {
    // The sequence numbers of a restarted service begin at 1 again.
    [owner, state] = [message.body[2], null];
    read();
  } else if (message.member === 'Transition' && message.sender === owner && state !== null) {
    const changed = plain(message.body[1]);
    if (changed.Sequence === state.Sequence + 1n) state = changed;
    else if (changed.Sequence > state.Sequence) read(); // signals are missing
  }
  show();
});
for (const rule of [
  `type='signal',sender='${SERVICE}',path='${PATH}',interface='${SERVICE}',member='Transition'`,
  `type='signal',sender='${BUS}',member='NameOwnerChanged',arg0='${SERVICE}'`,
]) await call(BUS, '/org/freedesktop/DBus', BUS, 'AddMatch', 's', rule);
[owner] = await call(BUS, '/org/freedesktop/DBus', BUS, 'GetNameOwner', 's', SERVICE).catch(() => ['']);
await read();
setInterval(() => {
  if (state === null) read();
  show();
}, 100);
