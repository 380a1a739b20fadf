/** Test leases for JUnit: {@link dev.leasehold.testkit.junit.WithTestLeases}. */
@NullMarked
package dev.leasehold.testkit.junit;

import org.jspecify.annotations.NullMarked;
