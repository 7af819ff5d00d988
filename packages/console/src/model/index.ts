/**
 * What is pure: periods and comparisons, money, changes, dayparts, what stands out. It imports nothing that asks or
 * draws.
 */
