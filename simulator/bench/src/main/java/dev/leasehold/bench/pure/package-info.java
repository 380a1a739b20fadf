/** What the engine computes without a database, measured by JMH: deciding, bounds, and documents in and out of BSON. */
@NullMarked
package dev.leasehold.bench.pure;

import org.jspecify.annotations.NullMarked;
