// 64-bit sums over the grid: first over a workgroup, then into the frame's account.
//
// Counters: added, removed, clamped and totals of water, red, green, blue; then wet cells. After them, the highest height.

const ADDED: u32 = 0u;
const REMOVED: u32 = 4u;
const CUT_OFF: u32 = 8u;
const TOTAL: u32 = 12u;
const WET: u32 = 16u;
const COUNTERS: u32 = 17u;
const HIGHEST: u32 = 17u;

// Low and high halves of what a workgroup enters.
var<workgroup> entered: array<atomic<u32>, 34>;

// Sums of 256 entries of either half fit, several times over.
fn enter(counter: u32, amount: u32) {
    if amount != 0u {
        atomicAdd(&entered[2u * counter], amount & 0xffffu);
        atomicAdd(&entered[2u * counter + 1u], amount >> 16u);
    }
}

// One thread per counter, after all have entered.
fn book(counter: u32) {
    if counter >= COUNTERS {
        return;
    }
    let low = atomicLoad(&entered[2u * counter]);
    let high = atomicLoad(&entered[2u * counter + 1u]);
    if (low | high) == 0u {
        return;
    }
    let sum = low + (high << 16u);
    let carry = select(0u, 1u, sum < low);
    let before = atomicAdd(&account[2u * counter], sum);
    let overflow = select(0u, 1u, before + sum < before);
    let more = (high >> 16u) + carry + overflow;
    if more != 0u {
        atomicAdd(&account[2u * counter + 1u], more);
    }
}
