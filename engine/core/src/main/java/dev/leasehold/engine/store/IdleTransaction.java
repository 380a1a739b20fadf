package dev.leasehold.engine.store;

import java.util.UUID;

/**
 * A transaction that is open on the server while no command of it is running.
 *
 * @param driverSession in which it was begun
 * @param inactiveNanos how long ago its last command ended, on the server's clock
 */
public record IdleTransaction(UUID driverSession, long inactiveNanos) {}
