package dev.leasehold.spring;

import dev.leasehold.engine.LeaseLoss;

/**
 * This process leads no longer, and campaigns again unless the application is shutting down. Published as an application event.
 *
 * @param election the name of the election
 * @param loss what is known about it
 */
public record LeaderLost(String election, LeaseLoss loss) {}
