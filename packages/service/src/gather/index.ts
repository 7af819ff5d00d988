/**
 * The worker that claims report requests and computes them in turns, estimates of the wait, and signals to those who
 * wait.
 */
