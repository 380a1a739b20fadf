/**
 * Leases for tests, without a server: the engine as it is, on a database in memory, with a clock that moves only when the test moves it.
 *
 * <p>{@link dev.leasehold.testkit.TestLeases} is where to begin, or {@link dev.leasehold.testkit.junit.WithTestLeases} with JUnit.
 */
@NullMarked
package dev.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
