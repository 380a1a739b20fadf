/** What the clocks of a machine show at an instant of true time. Knows nothing of leases. */
@NullMarked
package dev.leasehold.simulator.clock;

import org.jspecify.annotations.NullMarked;
