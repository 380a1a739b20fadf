/** The lease on the real provider, in real clusters, on a real replica set. */
@NullMarked
package dev.leasehold.pekko;

import org.jspecify.annotations.NullMarked;
