// 64-bit counters: sums over a workgroup, then over the grid.
//
// Counters: added, removed, clamped and totals of water, red, green, blue; number of wet cells; greatest height.

const ADDED: u32 = 0u;
const REMOVED: u32 = 4u;
const CLAMPED: u32 = 8u;
const TOTAL: u32 = 12u;
const WET: u32 = 16u;
const COUNTERS: u32 = 17u;
const HIGHEST: u32 = 17u;

// Low and high halves of the sums of a workgroup.
var<workgroup> sums: array<atomic<u32>, 34>;

// Adds to a counter. Sums of 256 amounts of either half fit several times over.
fn count(counter: u32, amount: u32) {
    if amount != 0u {
        atomicAdd(&sums[2u * counter], amount & 0xffffu);
        atomicAdd(&sums[2u * counter + 1u], amount >> 16u);
    }
}

// Adds the sums of the workgroup to the counters; one thread per counter, after a barrier.
fn flush_counters(counter: u32) {
    if counter >= COUNTERS {
        return;
    }
    let low = atomicLoad(&sums[2u * counter]);
    let high = atomicLoad(&sums[2u * counter + 1u]);
    if (low | high) == 0u {
        return;
    }
    let sum = low + (high << 16u);
    let carry = select(0u, 1u, sum < low);
    let before = atomicAdd(&counters[2u * counter], sum);
    let overflow = select(0u, 1u, before + sum < before);
    let more = (high >> 16u) + carry + overflow;
    if more != 0u {
        atomicAdd(&counters[2u * counter + 1u], more);
    }
}
