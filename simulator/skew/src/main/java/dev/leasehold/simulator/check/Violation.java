package dev.leasehold.simulator.check;

import org.jspecify.annotations.Nullable;

/**
 * A broken promise.
 *
 * @param promise which promise
 * @param atNanos when it was broken, in true time
 * @param lease of which lease; null where it is about none
 * @param sentence who was promised what until when, and what broke it at which instant
 */
public record Violation(
        Promise promise, long atNanos, @Nullable String lease, String sentence) {}
