package dev.leasehold.bench.row;

import java.time.Duration;

/**
 * How long everything is measured.
 *
 * @param rounds how often every entrant takes its turn
 * @param duration of each turn
 */
public record Plan(int rounds, Duration duration) {}
