package dev.leasehold.simulator.checker;

import java.util.List;

/**
 * Under which a history took place: how engines were configured, and what the network and the database could do at best.
 *
 * @param inside whether clocks kept to the assumptions of the specification; else only tier 1 is judged
 * @param driftPpm the maximum drift
 * @param sessionNanos the session length of the engines on each machine
 * @param heartbeatNanos their heartbeat period
 * @param operationNanos the operation budget
 * @param commandNanos the command budget
 * @param closeNanos the close budget
 * @param retentionNanos for how long a vacant document is kept
 * @param partitions of the namespace
 * @param threadLateNanos by how much a thread that keeps handles may be late
 * @param usualAnswerNanos the time of one command as a rule, until a majority has it
 * @param slowestAnswerNanos the same at most, without a fault
 * @param orphanNanos until the server ends a transaction that its client has left open
 * @param watches whether change streams work
 * @param observer the machine that tries to get every lease after the healing; -1 for none
 */
public record Conditions(
        boolean inside,
        long driftPpm,
        List<Long> sessionNanos,
        List<Long> heartbeatNanos,
        long operationNanos,
        long commandNanos,
        long closeNanos,
        long retentionNanos,
        int partitions,
        long threadLateNanos,
        long usualAnswerNanos,
        long slowestAnswerNanos,
        long orphanNanos,
        boolean watches,
        int observer) {

    public Conditions {
        sessionNanos = List.copyOf(sessionNanos);
        heartbeatNanos = List.copyOf(heartbeatNanos);
    }
}
